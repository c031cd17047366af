/** Names of tzdata without an area; all others have one. */
const alone =
  "CET|CST6CDT|Cuba|EET|EST|EST5EDT|Egypt|Eire|GB|GB-Eire|GMT|GMT\\+0|GMT-0|GMT0|Greenwich|HST|Hongkong|Iceland|Iran|Israel|" +
  "Jamaica|Japan|Kwajalein|Libya|MET|MST|MST7MDT|NZ|NZ-CHAT|Navajo|PRC|PST8PDT|Poland|Portugal|ROC|ROK|Singapore|Turkey|" +
  "UCT|UTC|Universal|W-SU|WET|Zulu";
const areas =
  "Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Europe|Indian|Mexico|Pacific|US";
/** Only the hour offsets that tzdata names. PostgreSQL would read any other as an offset of the opposite sign. */
const etc = "GMT(?:\\+(?:[0-9]|1[0-2])|-(?:[0-9]|1[0-4])|0)?|Greenwich|UCT|UTC|Universal|Zulu";

/**
 * The form of a time zone's name, for JavaScript and PostgreSQL alike. Both accept more than names: JavaScript accepts
 * offsets (`+05:00`, since Node 22) and abbreviations (`PST`), and PostgreSQL reads `UTC+5`, `+05:00` and `Any/Name5`
 * as five hours *west* of Greenwich.
 */
const timeZoneForm = `^(?:${alone}|(?:${areas})(?:/[A-Za-z_-]+){1,2}|Etc/(?:${etc}))$`;

const form = new RegExp(timeZoneForm, "i");

/** Names that only JavaScript has: they are in no release of tzdata. */
const invented: ReadonlySet<string> = new Set(["us/pacific-new"]);

/**
 * Whether a name is that of an IANA time zone; ignores case. Users, settings, headers and schedules share this rule;
 * `system.is_time_zone` is the same rule in PostgreSQL.
 */
export function isTimeZone(name: string): boolean {
  if (name.length > 64 || !form.test(name) || invented.has(name.toLowerCase())) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Names that PostgreSQL reads as abbreviations without summer time, and equivalent names of the same zones. */
export const zonesWithoutAbbreviation: ReadonlyMap<string, string> = new Map([
  ["cet", "Europe/Brussels"],
  ["eet", "Europe/Athens"],
  ["met", "Europe/Brussels"],
  ["wet", "Europe/Lisbon"],
]);

/** Returns a time zone's name that PostgreSQL reads as IANA defines it. */
export function postgresTimeZone(name: string): string {
  return zonesWithoutAbbreviation.get(name.toLowerCase()) ?? name;
}
