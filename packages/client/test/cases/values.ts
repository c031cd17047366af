import { ExactNumber } from "../../src/index.ts";

/** Returns an argument of a case as the client takes it: `$exact`, `$integer`, `$bytes` and `$repeat` become values. */
export function decoded(value: unknown, url: string): unknown {
  if (typeof value === "string") return value.replaceAll("{url}", url);
  if (Array.isArray(value)) return value.map((each) => decoded(each, url));
  if (typeof value !== "object" || value === null) return value;
  const given = value as Readonly<Record<string, unknown>>;
  if (typeof given.$exact === "string") return new ExactNumber(given.$exact);
  if (typeof given.$integer === "string") return BigInt(given.$integer);
  if (typeof given.$bytes === "string") return new Blob([given.$bytes], typeOf(given.type));
  if (Array.isArray(given.$repeat)) {
    const [text, count] = given.$repeat;
    return String(text).repeat(Number(count));
  }
  return Object.fromEntries(
    Object.entries(given).map(([name, each]) => [name, decoded(each, url)]),
  );
}

/** Returns a result of the client as a case writes it. */
export function encoded(value: unknown, url: string): unknown {
  if (value === undefined) return null;
  if (typeof value === "string") return value.replaceAll(url, "{url}");
  if (value instanceof ExactNumber) return { $exact: value.text };
  if (Array.isArray(value)) return value.map((each) => encoded(each, url));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) =>
      each === undefined ? [] : [[name, encoded(each, url)]],
    ),
  );
}

function typeOf(type: unknown): { type?: string } {
  return typeof type === "string" ? { type } : {};
}
