/** The figures of the page Stats as numbers, from which tables, CSV and charts are made. */

/**
 * @typedef {{date: string, [figure: string]: any}} Day one day or hour of `GET /v1/series`: all of it is of the executions that started then
 * @typedef {{name: string, values: (number | null)[], tone: string, form: "bars" | "line", pattern?: "hatch" | "dash" | "dots" | "stripes" | "columns" | "grid"}} Series
 * @typedef {{count: number, p50?: number, p90?: number, p95?: number, longest?: number}} Quantiles
 * @typedef {{id: string, title: string, about: string, unit: "count" | "seconds" | "share", days: string[], series: Series[], stacked?: boolean,
 *   headline: string}} Figure
 */

/**
 * A count that is left out is 0. A measurement that is left out is unknown: a gap.
 * @param {Day[]} days the oldest first
 * @param {Quantiles} [durations] of all executions that ended
 * @returns {Figure[]}
 */
export function figures(days, durations = { count: 0 }) {
  const names = days.map((day) => day.date);
  const of = (/** @type {string} */ field) => days.map((day) => (day[field] === null ? null : Number(day[field] ?? 0)));
  const measured = (/** @type {string} */ field) => days.map((day) => ((day[field] ?? null) === null ? null : Number(day[field])));
  const share = (/** @type {string} */ part, /** @type {(day: Day) => number} */ whole) => days.map((day) => (whole(day) ? Number(day[part] ?? 0) / whole(day) : null));
  const total = (/** @type {string} */ field) => of(field).reduce((/** @type {number} */ sum, each) => sum + (each ?? 0), 0);
  const ended = (/** @type {Day} */ day) => Number(day.completed ?? 0) + Number(day.failed ?? 0) + Number(day.cancelled ?? 0);
  const allEnded = days.reduce((sum, day) => sum + ended(day), 0);
  return [
    {
      id: "executions", title: isHour(names[0]) ? "Executions per hour" : "Executions per day", about: "by when they started, and by how they ended or were interrupted", unit: "count", days: names, stacked: true,
      headline: `${total("started")} started`,
      series: [
        { name: "completed", values: of("completed"), tone: "ok", form: "bars" },
        { name: "failed", values: of("failed"), tone: "failed", form: "bars", pattern: "hatch" },
        { name: "cancelled", values: of("cancelled"), tone: "idle", form: "bars", pattern: "dots" },
        { name: "closed", values: of("closed"), tone: "plain", form: "bars", pattern: "columns" },
        { name: "interrupted", values: of("interrupted"), tone: "doubt", form: "bars", pattern: "grid" },
        { name: "open", values: days.map((day) => Math.max(0, Number(day.started ?? 0) - ended(day) - Number(day.closed ?? 0) - Number(day.interrupted ?? 0))), tone: "running", form: "bars", pattern: "stripes" },
      ],
    },
    {
      id: "success", title: "Success", about: "completed executions, as a share of those that ended with a verdict", unit: "share", days: names,
      headline: allEnded ? percent(total("completed") / allEnded) : "–",
      series: [{ name: "success", values: share("completed", ended), tone: "ok", form: "line" }],
    },
    {
      id: "duration", title: "Duration", about: `from start to end, of ${durations.count} that ended: half took less than p50, 95 of 100 less than p95`, unit: "seconds", days: names,
      headline: durations.count ? `p50 ${written(durations.p50, "seconds")}, p95 ${written(durations.p95, "seconds")}` : "–",
      series: [
        { name: "p50", values: measured("p50"), tone: "running", form: "line" },
        { name: "p95", values: measured("p95"), tone: "undo", form: "line", pattern: "dash" },
      ],
    },
    {
      id: "estimate", title: "Estimate against actual", about: "summed over steps that had an estimate and succeeded", unit: "seconds", days: names,
      headline: total("estimated") ? `${(total("actual") / total("estimated")).toFixed(1)} × the estimate` : "–",
      series: [
        { name: "estimated", values: measured("estimated"), tone: "idle", form: "line", pattern: "dash" },
        { name: "actual", values: measured("actual"), tone: "accent", form: "line" },
      ],
    },
    {
      id: "retries", title: "Retries and unwinding", about: "repeated steps, and executions with undone actions", unit: "count", days: names,
      headline: `${counted(total("retries"), "retry", "retries")}, ${total("unwound")} unwound`,
      series: [
        { name: "retries", values: of("retries"), tone: "doubt", form: "line" },
        { name: "unwound", values: of("unwound"), tone: "undo", form: "line", pattern: "dash" },
      ],
    },
    {
      id: "waiting", title: "Waiting for people", about: `from each question to its answer, summed; ${counted(total("asked"), "question")}`, unit: "seconds", days: names,
      headline: total("waited") ? seconds(total("waited")) : "–",
      series: [{ name: "waited", values: measured("waited"), tone: "waiting", form: "bars" }],
    },
    {
      id: "doubt", title: "In doubt", about: "actions with an unknown outcome", unit: "count", days: names,
      headline: `${total("in_doubt")} ${total("in_doubt") === 1 ? "action" : "actions"}`,
      series: [{ name: "in doubt", values: of("in_doubt"), tone: "doubt", form: "bars", pattern: "hatch" }],
    },
  ];
}

/**
 * A figure as rows: the day, then one value for each series.
 * @param {Figure} figure
 */
export function table(figure) {
  return {
    header: ["day", ...figure.series.map((series) => series.name)],
    rows: figure.days.map((day, at) => [day, ...figure.series.map((series) => series.values[at])]),
  };
}

/**
 * Every figure in one table, for a spreadsheet.
 * @param {Figure[]} all
 */
export function wholeTable(all) {
  const columns = all.flatMap((figure) => figure.series.map((series) => ({ name: `${figure.id}: ${series.name}${figure.unit === "seconds" ? " (s)" : ""}`, values: series.values })));
  return {
    header: ["day", ...columns.map((column) => column.name)],
    rows: (all[0]?.days ?? []).map((day, at) => [day, ...columns.map((column) => column.values[at])]),
  };
}

/**
 * @param {number | null | undefined} value
 * @param {Figure["unit"]} unit
 */
export function written(value, unit) {
  if (value === null || value === undefined) return "–";
  return unit === "seconds" ? seconds(Number(value)) : unit === "share" ? percent(value) : String(value);
}

/** @param {number} value */
export const percent = (value) => `${Math.round(value * 1000) / 10} %`;

/** @param {number} value @returns {string} short enough for an axis */
export function seconds(value) {
  if (value === 0) return "0";
  if (value < 1) return `${Math.round(value * 1000)} ms`;
  if (value < 120) return `${trim(value)} s`;
  if (value < 7200) return `${trim(value / 60)} min`;
  return value < 172_800 ? `${trim(value / 3600)} h` : `${trim(value / 86_400)} d`;
}

/** @param {number} value */
const trim = (value) => String(Math.round(value * 10) / 10);

/** @param {string | undefined} date */
export const isHour = (date) => (date ?? "").includes("T");

/**
 * A day as it is; an hour in the zone of the reader.
 * @param {string} date
 * @param {string} zone
 */
export function dateText(date, zone) {
  if (!isHour(date)) return date;
  return new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZone: zone }).format(Date.parse(date));
}

/**
 * @typedef {{calls?: number, failed?: number, in_doubt?: number, compared?: number, estimated?: number, actual?: number, durations: Quantiles}} Tool
 * @typedef {{started?: number, completed?: number, failed?: number, cancelled?: number, closed?: number, interrupted?: number, actions?: number,
 *   failures?: number, undos?: number, in_doubt?: number, durations: Quantiles}} Agent
 */

const MAX_ROWS = 12;

/**
 * Tools that failed, the most often first.
 * @param {Record<string, number>} failures
 * @param {Record<string, Tool>} [tools]
 */
export function failureRows(failures = {}, tools = {}) {
  return Object.entries(failures).sort((one, other) => other[1] - one[1]).slice(0, MAX_ROWS)
    .map(([name, value]) => ({ name, value, text: tools[name]?.calls ? `${value} of ${tools[name].calls}` : String(value), tone: "failed" }));
}

const ERRORS = /** @type {Record<string, string>} */ ({
  timed_out: "timed out", rate_limited: "too many requests", no_connection: "no connection", not_permitted: "not permitted", not_found: "not found",
  conflict: "conflict, exists already", invalid: "invalid request", server_error: "server error", out_of_space: "out of disk or memory",
  cancelled: "cancelled, interrupted", exit_code: "exit code only", other: "something else", no_text: "no error text",
});

/** @param {Record<string, number>} errors */
export function errorRows(errors = {}) {
  return Object.entries(errors).sort((one, other) => other[1] - one[1]).map(([kind, value]) => ({ name: ERRORS[kind] ?? kind, value, text: String(value), tone: "failed" }));
}

/**
 * Tools whose steps had estimates, the furthest over it first.
 * @param {Record<string, Tool>} tools
 */
export function estimateRows(tools = {}) {
  return Object.entries(tools).filter(([, tool]) => tool.compared)
    .map(([name, tool]) => {
      const [estimated, actual] = [Number(tool.estimated ?? 0), Number(tool.actual ?? 0)];
      return { name, value: estimated ? actual / estimated : 0, text: `${ratio(actual, estimated)} (${seconds(actual)} for ${seconds(estimated)})`, tone: actual > estimated ? "doubt" : "ok" };
    })
    .sort((one, other) => other.value - one.value).slice(0, MAX_ROWS);
}

/**
 * @param {number} part
 * @param {number} whole
 */
const ratio = (part, whole) => `${(part / whole).toFixed(1)} ×`;

/**
 * Agents side by side: the columns and, for each agent, their values. Null is unknown.
 * @param {Record<string, Agent>} agents
 */
export function agentTable(agents = {}) {
  return {
    header: ["agent", "executions", "success", "failed", "interrupted", "actions", "failed actions", "in doubt", "undone", "p50", "p95"],
    rows: Object.entries(agents).map(([name, agent]) => {
      const { started = 0, completed = 0, failed = 0, cancelled = 0, interrupted = 0, actions = 0, failures = 0, undos = 0, in_doubt: doubt = 0, durations } = agent;
      const ended = completed + failed + cancelled;
      return [name, started, ended ? percent(completed / ended) : null, failed, interrupted, actions, failures, doubt, undos, known(durations.p50), known(durations.p95)];
    }),
  };
}

/**
 * How long the calls of each tool took, as quantiles; those that took longest first.
 * @param {Record<string, Tool>} tools
 */
export function toolTable(tools = {}) {
  const sorted = Object.entries(tools).sort((one, other) => (other[1].durations.p95 ?? -1) - (one[1].durations.p95 ?? -1));
  return {
    header: ["tool", "calls", "failed", "in doubt", "p50", "p90", "p95", "longest"],
    rows: sorted.map(([name, { calls = 0, failed = 0, in_doubt: doubt = 0, durations: { p50, p90, p95, longest } }]) => [name, calls, failed, doubt, known(p50), known(p90), known(p95), known(longest)]),
  };
}

/** @param {number | undefined} value */
const known = (value) => (value === undefined ? null : seconds(Number(value)));

/**
 * The share of each client's calls that a hook, a gateway or an adapter observed.
 * @param {Record<string, {observed?: number, claimed?: number, ended?: number, in_doubt?: number}>} coverage
 */
export function coverageRows(coverage = {}) {
  return Object.entries(coverage).map(([name, { observed = 0, claimed = 0, in_doubt: doubted = 0 }]) => {
    const all = observed + claimed;
    const doubt = doubted ? `, ${doubted} in doubt` : "";
    return { name: name || "unknown", value: all ? observed / all : 0, tone: "ok", text: all ? `${percent(observed / all)} of ${all}${doubt}` : "no calls" };
  });
}

/**
 * @param {number} many
 * @param {string} one
 * @param {string} [more]
 */
const counted = (many, one, more = `${one}s`) => `${many} ${many === 1 ? one : more}`;

/**
 * A sentence about what the figures cover: a large journal is not counted completely.
 * @param {{executions?: number, actions?: number, whole_from?: string, detail_from?: string}} series
 * @param {(at: string) => string} clock writes a time
 */
export function boundOf({ executions = 0, actions = 0, whole_from: whole = "", detail_from: detail = "" }, clock) {
  const of = `Of ${counted(executions, "execution")} and ${counted(actions, "action")}.`;
  const since = whole ? ` What started before ${clock(whole)} was not looked at.` : "";
  const fine = detail ? ` Retries, estimates, failures by tool, durations by tool and coverage are of what was done since ${clock(detail)}.` : "";
  return of + since + fine;
}
