import { Checkbox } from "../../ui/checkbox.tsx";
import type { ValueColumn } from "../values/value-kind.ts";

interface ChoiceListProps {
  readonly column: ValueColumn;
  readonly label: string;
  readonly chosen: unknown;
  readonly onChange: (chosen: readonly unknown[] | undefined) => void;
}

/** The labels of an enum, of which several may be chosen. */
export function ChoiceList({ column, label, chosen, onChange }: ChoiceListProps) {
  const values: readonly unknown[] = Array.isArray(chosen) ? chosen : [];
  const labels = column.values ?? [];
  const others = values.filter((value) => !labels.some((one) => one === value));
  return (
    <fieldset
      aria-label={label}
      dir="auto"
      className="max-h-36 min-w-0 overflow-auto rounded-control border border-line-input px-2 py-0.5"
    >
      {[...labels, ...others].map((value) => (
        <Checkbox
          key={String(value)}
          label={String(value)}
          isChecked={values.includes(value)}
          onChange={(isChecked) => {
            const next = isChecked ? [...values, value] : values.filter((one) => one !== value);
            onChange(next.length === 0 ? undefined : next);
          }}
        />
      ))}
    </fieldset>
  );
}
