// The client of the TypeScript SDK that most agents are built with. It makes the calls that it is given as JSON on its
// input, to a server that it starts with its arguments, and prints what came of each.
import { readFileSync } from "node:fs";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: "typescript-client", version: "1" });
await client.connect(new StdioClientTransport({ command, args }));
await client.listTools(); // from now on it checks structures against the schemas that were listed
const came = [];
for (const call of JSON.parse(readFileSync(0, "utf8"))) {
  came.push(await client.callTool(call).catch((error) => ({ thrown: error.message })));
}
console.log(JSON.stringify(came));
await client.close();
