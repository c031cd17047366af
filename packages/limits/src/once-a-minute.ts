/**
 * Returns a reporter of failures that repeat while their cause lasts: it passes one call a minute on.
 *
 * @param now returns milliseconds; the clock of this process by default
 */
export function onceAMinute<Arguments extends readonly unknown[]>(
  report: (...values: Arguments) => void,
  now: () => number = () => performance.now(),
): (...values: Arguments) => void {
  let quietUntil = Number.NEGATIVE_INFINITY;
  return (...values) => {
    const moment = now();
    if (moment < quietUntil) return;
    quietUntil = moment + 60_000;
    report(...values);
  };
}
