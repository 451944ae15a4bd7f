/** The difference of two lists, by their longest common subsequence. */

/** The limit of compared pairs: beyond it, only equal ends are kept and the rest counts as replaced. */
const MOST_PAIRS = 1_000_000;

/**
 * Walks two lists side by side. Items are the same when their keys are.
 * @param {readonly string[]} before keys of the items
 * @param {readonly string[]} after
 * @returns {{before: number, after: number}[]} places; -1 where an item is only in the other list
 */
export function align(before, after) {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  const shorter = Math.min(before.length, after.length) - head;
  while (tail < shorter && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;

  const rows = before.length - head - tail;
  const columns = after.length - head - tail;
  const pairs = [];
  for (let at = 0; at < head; at += 1) pairs.push({ before: at, after: at });
  pairs.push(...(rows * columns > MOST_PAIRS ? replaced(head, rows, columns) : middle(before, after, head, rows, columns)));
  for (let at = tail; at > 0; at -= 1) pairs.push({ before: before.length - at, after: after.length - at });
  return pairs;
}

/** @param {number} head @param {number} rows @param {number} columns */
function replaced(head, rows, columns) {
  const removed = Array.from({ length: rows }, (_, at) => ({ before: head + at, after: -1 }));
  const added = Array.from({ length: columns }, (_, at) => ({ before: -1, after: head + at }));
  return [...removed, ...added];
}

/**
 * The longest common subsequence between the equal ends; removals come before additions.
 * @param {readonly string[]} before
 * @param {readonly string[]} after
 * @param {number} head
 * @param {number} rows
 * @param {number} columns
 */
function middle(before, after, head, rows, columns) {
  const width = columns + 1;
  const longest = new Uint32Array((rows + 1) * width);
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      const at = row * width + column;
      longest[at] = before[head + row] === after[head + column]
        ? longest[at + width + 1] + 1
        : Math.max(longest[at + width], longest[at + 1]);
    }
  }
  const pairs = [];
  let row = 0;
  let column = 0;
  while (row < rows || column < columns) {
    const at = row * width + column;
    if (row < rows && column < columns && before[head + row] === after[head + column]) {
      pairs.push({ before: head + row, after: head + column });
      row += 1;
      column += 1;
    } else if (row < rows && (column === columns || longest[at + width] >= longest[at + 1])) {
      pairs.push({ before: head + row, after: -1 });
      row += 1;
    } else {
      pairs.push({ before: -1, after: head + column });
      column += 1;
    }
  }
  return pairs;
}
