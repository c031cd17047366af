import { useTranslations } from "use-intl";
import type { ValueColumn } from "../../records/values/value-kind.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Select } from "../../ui/select.tsx";
import { LineField } from "../columns/line-field.tsx";
import { type Format, type FormatOption, optionsOf } from "./format-choices.ts";

/** Digits that the browser can format. */
const decimalsMax = 20;

/** Returns a format that the browser can show, or null while its options are incomplete. The service checks them all. */
export function sampleFormat(format: Format | null): Format | null {
  if (format === null) return null;
  if (format.type === "currency" && !/^[A-Za-z]{3}$/.test(format.currency)) return null;
  if ("decimals" in format && !isCount(format.decimals, 0, decimalsMax)) return null;
  if (format.type === "rating" && !isCount(format.max, 2, 10)) return null;
  return format;
}

function isCount(value: unknown, from: number, to: number): boolean {
  if (value === undefined) return true;
  return typeof value === "number" && value >= from && value <= to;
}

interface FormatFieldsProps {
  readonly column: ValueColumn;
  readonly format: Format;
  readonly onChange: (format: Format) => void;
}

/** The options of a format; nothing if it has none. */
export function FormatFields({ column, format, onChange }: FormatFieldsProps) {
  const options = optionsOf(format.type, column);
  if (options.length === 0) return null;
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
      {options.map((option) => (
        <OptionField key={option.name} option={option} format={format} onChange={onChange} />
      ))}
    </div>
  );
}

function OptionField(props: {
  readonly option: FormatOption;
  readonly format: Format;
  readonly onChange: (format: Format) => void;
}) {
  const t = useTranslations("presentation");
  const { option, format } = props;
  const { name, kind, values = [] } = option;
  const label = t(`options.${name as "decimals"}`);
  const { [name]: value, ...others } = format as Readonly<Record<string, unknown>>;
  const set = (next: unknown) =>
    props.onChange((next === undefined ? others : { ...others, [name]: next }) as Format);
  if (kind === "flag") {
    // Digits are grouped unless a format says otherwise.
    const isOn = typeof value === "boolean" ? value : name === "grouping";
    return <Checkbox label={label} isChecked={isOn} onChange={set} />;
  }
  if (kind === "choice") {
    return (
      <Select
        label={label}
        value={value === undefined ? "" : String(value)}
        options={[
          { value: "", label: t("usual") },
          ...values.map((one) => ({
            value: String(one),
            label: t.has(`choices.${one as "short"}`)
              ? t(`choices.${one as "short"}`)
              : String(one),
          })),
        ]}
        onChange={(text) => set(values.find((one) => String(one) === text))}
      />
    );
  }
  return (
    <div className="w-32">
      <LineField
        label={label}
        value={value === undefined ? "" : String(value)}
        onChange={(text) => {
          const isNumber = kind === "count" && /^\d+$/.test(text);
          set(text === "" ? undefined : isNumber ? Number(text) : text);
        }}
      />
    </div>
  );
}
