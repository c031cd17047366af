import { useFormatter } from "use-intl";

/** A duration in milliseconds, as the person's language writes it: `9 ms`, `2.4 sec`, `3 min 5 sec`. */
export function Duration({ ms }: { readonly ms: number }) {
  const write = useDuration();
  return <time dateTime={`PT${Math.max(0, ms) / 1000}S`}>{write(ms)}</time>;
}

/** Returns the function that writes a duration in milliseconds. */
export function useDuration(): (ms: number) => string {
  const format = useFormatter();
  return (ms) => {
    const unit = (value: number, name: string, digits = 0): string =>
      format.number(value, {
        style: "unit",
        unit: name,
        unitDisplay: "short",
        maximumFractionDigits: digits,
      });
    if (ms < 1000) return unit(Math.max(0, Math.round(ms)), "millisecond");
    const seconds = ms / 1000;
    if (seconds < 60) return unit(seconds, "second", seconds < 10 ? 2 : 1);
    const minutes = Math.floor(seconds / 60);
    if (minutes < 60) return pair(unit, minutes, "minute", Math.floor(seconds % 60), "second");
    const hours = Math.floor(minutes / 60);
    if (hours < 24) return pair(unit, hours, "hour", minutes % 60, "minute");
    return pair(unit, Math.floor(hours / 24), "day", hours % 24, "hour");
  };
}

function pair(
  unit: (value: number, name: string) => string,
  large: number,
  largeName: string,
  small: number,
  smallName: string,
): string {
  return small === 0
    ? unit(large, largeName)
    : `${unit(large, largeName)} ${unit(small, smallName)}`;
}

/** The milliseconds between two moments; up to now while the second is missing, undefined without the first. */
export function msBetween(from: string | null, to: string | null): number | undefined {
  return from === null ? undefined : (to === null ? Date.now() : Date.parse(to)) - Date.parse(from);
}
