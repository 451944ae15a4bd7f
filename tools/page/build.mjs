/**
 * Bundles the page: `node build.mjs STATIC BUNDLE`. Reads the plain modules in STATIC, writes hashed, minified files and
 * their Brotli forms to BUNDLE. The same sources give the same bytes. Run it with `make page`.
 */

import { build } from "esbuild";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

const [STATIC, BUNDLE] = process.argv.slice(2);
const LAZY = ["dagre", "uplot"];
/** Large libraries that few views need. Each is a file of its own, which loads with the first `import()` of it. */
const DOCUMENTS = ["index.html", "login.html"];
const EMBEDDED = "embed/tallystick.js";
/** The module of the elements keeps its address, because other sites name it. */
const COMPRESSED_FROM_BYTES = 1000;
const COMMON = { absWorkingDir: STATIC, outdir: BUNDLE, bundle: true, minify: true, charset: "utf8", target: "es2022", logLevel: "warning", metafile: true };

/** @returns {Promise<Record<string, string>>} the name of the hashed file by entry point */
async function bundled(entryPoints, more = {}) {
  const { metafile } = await build({ ...COMMON, entryPoints, entryNames: "[name]-[hash]", format: "esm", ...more });
  return Object.fromEntries(Object.entries(metafile.outputs).filter(([, made]) => made.entryPoint).map(([path, made]) => [made.entryPoint, basename(path)]));
}

/** Imports of a lazy library name its hashed file. A static import would load it with the first page, so it is an error. */
function lazyLibraries(names, folder) {
  return {
    name: "lazy libraries",
    setup(plugin) {
      plugin.onResolve({ filter: /\/vendor\/[^/]+\.js$/ }, ({ path, kind }) => {
        const library = `vendor/${basename(path)}`;
        if (!names[library]) return undefined;
        if (kind !== "dynamic-import") return { errors: [{ text: `${library} must be loaded with import(): few views need it.` }] };
        return { path: `${folder}${names[library]}`, external: true };
      });
    },
  };
}

/** A document with one style sheet instead of many, and the hashed name of each file. */
async function writeDocument(name, scripts) {
  const text = readFileSync(join(STATIC, name), "utf8");
  const sheets = [...text.matchAll(/ *<link rel="stylesheet" href="\/static\/([^"]+)">\n/g)];
  const contents = sheets.map(([, path]) => `@import "./${path}";`).join("\n");
  const sheet = name.replace(".html", ".css");
  const { outputFiles } = await build({ ...COMMON, entryNames: "[name]-[hash]", write: false, stdin: { contents, loader: "css", resolveDir: STATIC, sourcefile: sheet } });
  const [{ contents: css, hash }] = outputFiles.filter((file) => file.path.endsWith(".css"));
  const hashed = sheet.replace(".css", `-${hash.replaceAll(/\W/g, "").slice(0, 8).toUpperCase()}.css`);
  writeFileSync(join(BUNDLE, hashed), css);
  const one = text.replace(sheets[0][0], `    <link rel="stylesheet" href="/static/bundle/${hashed}">\n`);
  const linked = sheets.slice(1).reduce((made, [line]) => made.replace(line, ""), one);
  writeFileSync(join(BUNDLE, name), linked.replaceAll(/"\/static\/(?!bundle\/)([^"]+)"/g, (_whole, path) => `"/static/bundle/${scripts[path]}"`));
}

/** Write the Brotli form beside each file that gains by it. */
function compress() {
  for (const name of readdirSync(BUNDLE).filter((each) => /\.(js|css)$/.test(each))) {
    const content = readFileSync(join(BUNDLE, name));
    const size = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length, [constants.BROTLI_PARAM_QUALITY]: 11 };
    if (content.length >= COMPRESSED_FROM_BYTES) writeFileSync(join(BUNDLE, `${name}.br`), brotliCompressSync(content, { params: size }));
  }
}

const libraries = await bundled(LAZY.map((name) => `vendor/${name}.js`));
const small = {
  ...(await bundled(["initial_theme.js"], { format: "iife" })),
  ...(await bundled(["favicon.svg"], { loader: { ".svg": "copy" } })),
};
const app = await bundled(["app.js"], { plugins: [lazyLibraries(libraries, "./")] });
await build({ ...COMMON, entryPoints: [EMBEDDED], entryNames: "[name]", format: "esm", plugins: [lazyLibraries(libraries, "../bundle/")] });
for (const name of DOCUMENTS) await writeDocument(name, { ...small, ...app });
compress();
