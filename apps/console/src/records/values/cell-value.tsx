import { writeJson } from "@rowhouse/client";
import { classes } from "../../ui/classes.ts";
import { EmptyMark } from "../../ui/empty-mark.tsx";
import { Isolated } from "../../ui/isolated.tsx";
import { FileCell } from "../library/file-picture.tsx";
import { Badge } from "./badge.tsx";
import { colorOf } from "./color-of.ts";
import { valueText } from "./show-value.ts";
import { elementOf, isNumeric, titleIn, type ValueColumn, valueKindOf } from "./value-kind.ts";
import { useWays } from "./ways.ts";

const badgesMax = 20;
/** Characters of a nested list that a line shows. */
const jsonMax = 500;
const codeFormats: ReadonlySet<string> = new Set(["code", "json"]);
const codeKinds: ReadonlySet<string> = new Set(["JSON", "UUID", "BYTES"]);

interface CellValueProps {
  readonly column: ValueColumn;
  /** Undefined for a value that the person may not read in this row. */
  readonly value: unknown;
}

/**
 * A value in one line, which CSS cuts off. Its text never becomes markup, and its direction does not leave it. Links are
 * outside the order of Tab, since a grid has one stop.
 */
export function CellValue({ column, value }: CellValueProps) {
  const ways = useWays();
  if (value === undefined) return <EmptyMark text={ways.say("unreadable")} />;
  const color = colorOf(column, value);
  if (value === null || value === "") {
    const text = ways.say(value === null ? "none" : "emptyText");
    return color === undefined ? (
      <EmptyMark text={text} />
    ) : (
      <Badge color={color}>
        <EmptyMark isInline text={text} />
      </Badge>
    );
  }
  const title = titleIn(column, value);
  if (title !== undefined) {
    return (
      <bdi dir="auto" className="block truncate">
        {title}
      </bdi>
    );
  }
  const { format } = column;
  // A picture of another column is the address of one.
  if (format?.type === "file" || (format?.type === "image" && valueKindOf(column) === "UUID")) {
    return <FileCell id={String(value)} format={format.type} name={undefined} />;
  }
  if (valueKindOf(column) === "ARRAY" && Array.isArray(value)) {
    return <Elements column={elementOf(column)} values={value} />;
  }
  const text = valueText(column, value, ways);
  if (color !== undefined) {
    return (
      <Badge color={color}>
        <Isolated text={text} />
      </Badge>
    );
  }
  const address = addressOf(format?.type, value);
  if (format?.type === "rating") {
    const label = ways.say("rating", { count: String(value), max: format.max ?? 5 });
    return (
      <span role="img" aria-label={label} className="block truncate tracking-wide text-warn">
        {text}
      </span>
    );
  }
  const isCode =
    codeFormats.has(format?.type ?? "") || (format === null && codeKinds.has(valueKindOf(column)));
  const look = classes(
    "block truncate",
    isNumeric(column) && "text-right tabular-nums",
    (isCode || typeof value === "object") && "font-mono text-2",
  );
  if (address === undefined) {
    return (
      <bdi
        dir={isNumeric(column) ? "ltr" : "auto"}
        className={look}
        title={exactTime(column, value)}
      >
        {text}
      </bdi>
    );
  }
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener noreferrer nofollow"
      tabIndex={-1}
      dir="auto"
      className={`${look} text-accent underline decoration-line-strong underline-offset-2 hover:decoration-current`}
    >
      {text}
    </a>
  );
}

/** The elements of a list, each in its color. */
function Elements(props: { readonly column: ValueColumn; readonly values: readonly unknown[] }) {
  const ways = useWays();
  const { column, values } = props;
  if (values.length === 0 || values.some(Array.isArray)) {
    return (
      <span className="block truncate font-mono text-2">{writeJson(values).slice(0, jsonMax)}</span>
    );
  }
  // The position is the only identity of an element.
  const numbered = values.slice(0, badgesMax).map((value, number) => ({ number, value }));
  return (
    <span className="flex min-w-0 gap-1 overflow-hidden">
      {numbered.map(({ number, value }) => (
        <span key={number} className="max-w-full shrink-0">
          <Badge color={colorOf(column, value) ?? "gray"}>
            {value === null || value === "" ? (
              <EmptyMark isInline text={ways.say(value === null ? "none" : "emptyText")} />
            ) : (
              <Isolated text={valueText(column, value, ways)} />
            )}
          </Badge>
        </span>
      ))}
    </span>
  );
}

/** Returns the exact text of a timestamp, for its tooltip. */
function exactTime(column: ValueColumn, value: unknown): string | undefined {
  const kind = valueKindOf(column);
  return kind === "INSTANT" || kind === "TIMESTAMP" ? String(value) : undefined;
}

/** Returns the address that a text of a format leads to; other schemes than http, https and mailto never. */
function addressOf(format: string | undefined, value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  if (format === "email") {
    return /^[^\s@,;:?&%<>"]+@[^\s@,;:?&%<>"]+$/.test(value) ? `mailto:${value}` : undefined;
  }
  if (format !== "url" && format !== "image") return undefined;
  return /^https?:\/\/[^\s]+$/i.test(value) && URL.canParse(value) ? value : undefined;
}
