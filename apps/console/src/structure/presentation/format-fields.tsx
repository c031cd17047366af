import { useTranslations } from "use-intl";
import type { ValueColumn } from "../../records/values/value-kind.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Select } from "../../ui/select.tsx";
import { LineField } from "../columns/line-field.tsx";
import {
  createFormat,
  type Format,
  type FormatOption,
  formatsOf,
  optionsOf,
} from "./format-choices.ts";

interface FormatFieldsProps {
  readonly column: ValueColumn;
  /** Whether the column refers to a file. */
  readonly isFile: boolean;
  readonly format: Format | null;
  readonly onChange: (format: Format | null) => void;
}

/** The format of a column and its options. */
export function FormatFields({ column, isFile, format, onChange }: FormatFieldsProps) {
  const t = useTranslations("presentation");
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
      <Select
        label={t("format")}
        value={format?.type ?? ""}
        options={[
          { value: "" as const, label: t("usual") },
          ...formatsOf(column, isFile).map((value) => ({
            value,
            label: t(isFile && value === "image" ? "picture" : `formats.${value}`),
          })),
        ]}
        onChange={(type) => onChange(type === "" ? null : createFormat(type))}
      />
      {format !== null &&
        optionsOf(format.type, column).map((option) => (
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
