/** What the stats page shows: each chart as plain numbers, which a table, a CSV and a drawing are made of alike. */

/**
 * @typedef {{day: string, [figure: string]: any}} Day one day of `GET /v1/series`
 * @typedef {{name: string, values: (number | null)[], tone: string, form: "bars" | "line", pattern?: "hatch" | "dash" | "dots"}} Series
 * @typedef {{id: string, title: string, about: string, unit: "count" | "seconds" | "share", days: string[], series: Series[], stacked?: boolean,
 *   headline: string}} Figure
 */

/**
 * @param {Day[]} days the oldest first
 * @returns {Figure[]}
 */
export function figures(days) {
  const names = days.map((day) => day.day);
  const of = (/** @type {string} */ field) => days.map((day) => Number(day[field] ?? 0));
  const measured = (/** @type {string} */ field) => days.map((day) => (day[field] ? Number(day[field]) : null));
  const share = (/** @type {string} */ part, /** @type {(day: Day) => number} */ whole) => days.map((day) => (whole(day) ? Number(day[part] ?? 0) / whole(day) : null));
  const total = (/** @type {string} */ field) => of(field).reduce((sum, each) => sum + each, 0);
  const ended = (/** @type {Day} */ day) => Number(day.completed ?? 0) + Number(day.failed ?? 0) + Number(day.cancelled ?? 0);
  const allEnded = days.reduce((sum, day) => sum + ended(day), 0);
  return [
    {
      id: "executions", title: "Executions a day", about: "by how they ended, on the day they ended; the line is how many started", unit: "count", days: names, stacked: true,
      headline: `${total("started")} started`,
      series: [
        { name: "completed", values: of("completed"), tone: "ok", form: "bars" },
        { name: "failed", values: of("failed"), tone: "failed", form: "bars", pattern: "hatch" },
        { name: "cancelled", values: of("cancelled"), tone: "idle", form: "bars", pattern: "dots" },
        { name: "started", values: of("started"), tone: "accent", form: "line" },
      ],
    },
    {
      id: "success", title: "Success", about: "completed, of those that ended", unit: "share", days: names,
      headline: allEnded ? percent(total("completed") / allEnded) : "–",
      series: [{ name: "success", values: share("completed", ended), tone: "ok", form: "line" }],
    },
    {
      id: "duration", title: "Duration", about: "of executions that ended: half took less than p50, 95 of 100 less than p95", unit: "seconds", days: names,
      headline: `p50 ${seconds(middle(measured("p50")))}`,
      series: [
        { name: "p50", values: measured("p50"), tone: "running", form: "line" },
        { name: "p95", values: measured("p95"), tone: "undo", form: "line", pattern: "dash" },
      ],
    },
    {
      id: "estimate", title: "Estimate against actual", about: "of steps that had an estimate and were done", unit: "seconds", days: names,
      headline: total("estimated") ? `${(total("actual") / total("estimated")).toFixed(1)} × the estimate` : "–",
      series: [
        { name: "estimated", values: of("estimated"), tone: "idle", form: "line", pattern: "dash" },
        { name: "actual", values: of("actual"), tone: "accent", form: "line" },
      ],
    },
    {
      id: "retries", title: "Retries and unwinding", about: "actions begun again, and actions that undid another", unit: "count", days: names,
      headline: `${total("retries")} retries, ${total("undos")} undone`,
      series: [
        { name: "retries", values: of("retries"), tone: "doubt", form: "line" },
        { name: "undos", values: of("undos"), tone: "undo", form: "line", pattern: "dash" },
      ],
    },
    {
      id: "waiting", title: "Waiting for people", about: "time from question to answer, summed over the questions of a day", unit: "seconds", days: names,
      headline: total("asked") ? `${seconds(total("waited") / total("asked"))} a question` : "–",
      series: [{ name: "waited", values: of("waited"), tone: "waiting", form: "bars" }],
    },
    {
      id: "doubt", title: "In doubt", about: "actions begun that day of which nobody knows what came", unit: "count", days: names,
      headline: `${total("in_doubt")} actions`,
      series: [{ name: "in doubt", values: of("in_doubt"), tone: "doubt", form: "bars", pattern: "hatch" }],
    },
  ];
}

/**
 * A figure as rows: the day, then one value each.
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
