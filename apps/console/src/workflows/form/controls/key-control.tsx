import type { ControlProps } from "../control-props.ts";
import { pointerTo, withItem } from "../members.ts";
import { useTable } from "../use-table.ts";
import { ValueField } from "../value-field.tsx";

const forms = ["TEXT", "NUMBER"] as const;

/** The primary key of a row: one value, or one for each column of the key. */
export function KeyControl(props: ControlProps) {
  const { label, pointer, describedBy, field, value, onChange } = props;
  const { detail } = useTable();
  const columns = detail?.primaryKey ?? [];
  if (!Array.isArray(value) && columns.length < 2) {
    return <ValueField {...props} forms={forms} isOptional={!field.isRequired} />;
  }
  const parts: readonly unknown[] = Array.isArray(value)
    ? value
    : value === undefined
      ? []
      : [value];
  const count = Math.max(parts.length, columns.length);
  const change = (index: number, next: unknown) => {
    const filled = Array.from({ length: count }, (_one, at) => parts[at] ?? "");
    const changed = withItem(filled, index, next ?? "");
    onChange(changed.every((one) => one === "") && !field.isRequired ? undefined : changed);
  };
  return (
    <div className="grid gap-1">
      {Array.from({ length: count }, (_one, index) => {
        const name = columns[index] ?? String(index + 1);
        return (
          <div
            key={name}
            data-pointer={pointerTo(pointer, index)}
            className="grid grid-cols-[minmax(0,2fr)_minmax(0,5fr)] items-start gap-2"
          >
            <code dir="auto" className="truncate font-mono text-2 leading-7.5" title={name}>
              {name}
            </code>
            <ValueField
              label={`${label} ${name}`}
              pointer={pointerTo(pointer, index)}
              describedBy={describedBy}
              value={parts[index] ?? ""}
              onChange={(next) => change(index, next)}
              forms={forms}
            />
          </div>
        );
      })}
    </div>
  );
}
