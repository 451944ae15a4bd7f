/** The figures of the page Stats as numbers, from which tables, CSV and charts are made. */

/**
 * @typedef {{date: string, [figure: string]: any}} Day one day of `GET /v1/series`: all of it is of the executions that started then
 * @typedef {{name: string, values: (number | null)[], tone: string, form: "bars" | "line", pattern?: "hatch" | "dash" | "dots" | "stripes" | "columns" | "grid"}} Series
 * @typedef {{id: string, title: string, about: string, unit: "count" | "seconds" | "share", days: string[], series: Series[], stacked?: boolean,
 *   headline: string}} Figure
 */

/**
 * @param {Day[]} days the oldest first
 * @returns {Figure[]}
 */
export function figures(days) {
  const names = days.map((day) => day.date);
  const of = (/** @type {string} */ field) => days.map((day) => Number(day[field] ?? 0));
  const measured = (/** @type {string} */ field) => days.map((day) => Number(day[field] ?? 0) || null);
  const share = (/** @type {string} */ part, /** @type {(day: Day) => number} */ whole) => days.map((day) => (whole(day) ? Number(day[part] ?? 0) / whole(day) : null));
  const total = (/** @type {string} */ field) => of(field).reduce((sum, each) => sum + each, 0);
  const ended = (/** @type {Day} */ day) => Number(day.completed ?? 0) + Number(day.failed ?? 0) + Number(day.cancelled ?? 0);
  const allEnded = days.reduce((sum, day) => sum + ended(day), 0);
  return [
    {
      id: "executions", title: "Executions per day", about: "by the day they started, and by how they ended or were interrupted", unit: "count", days: names, stacked: true,
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
      id: "duration", title: "Duration", about: "from start to end: half took less than p50, 95 of 100 less than p95", unit: "seconds", days: names,
      headline: `p50 ${seconds(middle(measured("p50")))}`,
      series: [
        { name: "p50", values: measured("p50"), tone: "running", form: "line" },
        { name: "p95", values: measured("p95"), tone: "undo", form: "line", pattern: "dash" },
      ],
    },
    {
      id: "estimate", title: "Estimate against actual", about: "summed over steps that had an estimate and succeeded", unit: "seconds", days: names,
      headline: total("estimated") ? `${(total("actual") / total("estimated")).toFixed(1)} × the estimate` : "–",
      series: [
        { name: "estimated", values: of("estimated"), tone: "idle", form: "line", pattern: "dash" },
        { name: "actual", values: of("actual"), tone: "accent", form: "line" },
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
      id: "waiting", title: "Waiting for people", about: "from each question to its answer, summed", unit: "seconds", days: names,
      headline: total("asked") ? `${seconds(total("waited") / total("asked"))} per question` : "–",
      series: [{ name: "waited", values: of("waited"), tone: "waiting", form: "bars" }],
    },
    {
      id: "doubt", title: "In doubt", about: "Actions with an unknown outcome", unit: "count", days: names,
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
  return unit === "seconds" ? seconds(value) : unit === "share" ? percent(value) : String(value);
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

/** @param {(number | null)[]} values */
function middle(values) {
  const known = values.filter((value) => value !== null).sort((one, other) => Number(one) - Number(other));
  return Number(known[Math.floor(known.length / 2)] ?? 0);
}

/**
 * Tools that failed, the most often first.
 * @param {Record<string, number>} failures
 */
export function failureRows(failures = {}) {
  return Object.entries(failures).sort((one, other) => other[1] - one[1]).slice(0, 12).map(([name, value]) => ({ name, value, text: String(value), tone: "failed" }));
}

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
 */
export function boundOf({ executions = 0, actions = 0, whole_from: whole = "", detail_from: detail = "" }) {
  const of = `Of ${counted(executions, "execution")} and ${counted(actions, "action")}.`;
  const since = whole ? ` What started before ${whole.slice(0, 10)} was not looked at.` : "";
  const fine = detail ? ` Retries, estimates, failures and coverage are of what was done since ${detail.slice(0, 10)}.` : "";
  return of + since + fine;
}
