import { useId, useState } from "react";
import type { NavigationColumn, NavigationResource } from "../../shell/navigation.ts";
import { titleOf } from "../model/resource.ts";
import { readText } from "../values/read-text.ts";
import { plainText } from "../values/show-value.ts";
import { valueKindOf } from "../values/value-kind.ts";
import { useWays } from "../values/ways.ts";

interface FieldEditorProps {
  readonly column: NavigationColumn;
  readonly target: NavigationResource | undefined;
  readonly value: unknown;
  readonly fault: string | undefined;
  readonly onChange: (value: unknown) => void;
  /** The text is no value of the column. */
  readonly onUnread: () => void;
}

/** Edits one value of a record as text. */
export function FieldEditor({ column, value, fault, onChange, onUnread }: FieldEditorProps) {
  const ways = useWays();
  const id = useId();
  const [text, setText] = useState(
    value === null || value === undefined ? "" : plainText(column, value),
  );
  const [reason, setReason] = useState<string>();
  const shown = reason ?? fault;
  const isLong = valueKindOf(column) === "JSON" || text.length > 60;
  const change = (next: string): void => {
    setText(next);
    const reading = next === "" && column.nullable ? { value: null } : readText(column, next, ways);
    if ("fault" in reading) {
      setReason(reading.fault);
      onUnread();
    } else {
      setReason(undefined);
      onChange(reading.value);
    }
  };
  const attributes = {
    "aria-label": titleOf(column),
    "aria-invalid": shown !== undefined,
    ...(shown === undefined ? {} : { "aria-describedby": `${id}-fault` }),
    value: text,
    dir: "auto",
    className:
      "min-h-7 w-full min-w-0 rounded-control border border-line-input bg-surface px-2 py-1 aria-invalid:border-danger",
  };
  return (
    <>
      {isLong ? (
        <textarea {...attributes} rows={4} onChange={(event) => change(event.target.value)} />
      ) : (
        <input {...attributes} onChange={(event) => change(event.target.value)} />
      )}
      {shown !== undefined && (
        <p id={`${id}-fault`} className="text-2 text-danger">
          {shown}
        </p>
      )}
    </>
  );
}
