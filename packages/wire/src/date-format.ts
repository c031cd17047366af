/** How the dates and times of a file are written. */
export interface DateFormat {
  /** Its text, for a fingerprint. */
  readonly text: string;
  readonly date: RegExp;
  /** A date and, if the format has one, its time; otherwise a time as in a JSON create may follow. */
  readonly moment: RegExp;
}

/** Longest text of a format and of a cell. */
const charsMax = 60;

/** A token with its separator before it. */
const parts = /([./, :T-]{0,2})(yyyy|mm|dd|hh|mi|ss)/y;
const isoTime = "[T ](?<time>[0-9]{2}:[0-9]{2}[0-9:.]{0,14}(?:Z|[+-][0-9:]{2,8})?)";

/**
 * Parses a format such as `dd.mm.yyyy hh:mi`: the date first, then the time if there is one, each token once. Day, month
 * and hour may have one digit in a cell if signs separate them.
 *
 * @returns undefined for any other text
 */
export function parseDateFormat(text: string): DateFormat | undefined {
  if (text.length > charsMax) return undefined;
  const tokens: { readonly sign: string; readonly name: string }[] = [];
  let at = 0;
  for (;;) {
    parts.lastIndex = at;
    const [all, sign = "", name = ""] = parts.exec(text) ?? [];
    if (all === undefined) break;
    tokens.push({ sign, name });
    at += all.length;
  }
  const names = tokens.map(({ name }) => name);
  const isWhole = at === text.length && tokens[0]?.sign === "";
  const date = names.slice(0, 3).sort().join();
  const time = names.slice(3).join();
  if (!isWhole || date !== "dd,mm,yyyy" || !["", "hh,mi", "hh,mi,ss"].includes(time)) {
    return undefined;
  }
  // Without a sign between the date and the time, a date alone would be the beginning of another text.
  if (time !== "" && tokens[3]?.sign === "") return undefined;
  const sources = tokens.map(({ sign, name }, index) => {
    const isSeparate = (index === 0 || sign !== "") && tokens[index + 1]?.sign !== "";
    const digits =
      name === "yyyy" ? "{4}" : isSeparate && name !== "mi" && name !== "ss" ? "{1,2}" : "{2}";
    return `${sign.replaceAll(".", "\\.")}(?<${name}>[0-9]${digits})`;
  });
  const day = sources.slice(0, 3).join("");
  const clock = time === "" ? isoTime : sources.slice(3).join("");
  return { text, date: new RegExp(`^${day}$`), moment: new RegExp(`^${day}(?:${clock})?$`) };
}

/** Returns a date or a timestamp in the form of ISO 8601; undefined for a cell in another form. */
export function readDate(
  { date, moment }: DateFormat,
  cell: string,
  hasTime: boolean,
): string | undefined {
  if (cell === "infinity" || cell === "-infinity") return cell;
  const found = cell.length > charsMax ? undefined : (hasTime ? moment : date).exec(cell)?.groups;
  if (found === undefined) return undefined;
  const { yyyy = "", mm = "", dd = "", hh, mi = "", ss = "00", time } = found;
  const day = `${yyyy}-${mm.padStart(2, "0")}-${dd.padStart(2, "0")}`;
  const clock = hh === undefined ? time : `${hh.padStart(2, "0")}:${mi}:${ss}`;
  return clock === undefined ? day : `${day}T${clock}`;
}
