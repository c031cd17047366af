import { useTranslations } from "use-intl";
import { ScalarEditor } from "../../records/editors/scalar-editor.tsx";
import { isVariable, literalOf, operandOf } from "../../records/filter/operand.ts";
import { PlainSelect } from "../../records/filter/plain-select.tsx";
import type { NavigationColumn } from "../../shell/navigation.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Plus, X } from "../../ui/icons.generated.ts";
import { ToolButton } from "../../ui/tool-button.tsx";

interface PresetListProps {
  readonly columns: readonly NavigationColumn[];
  readonly presets: Readonly<Record<string, unknown>>;
  /** The message at a preset, by the name of its column. */
  readonly faultOf: (name: string) => string | undefined;
  readonly onChange: (presets: Readonly<Record<string, unknown>>) => void;
}

const variables = ["$USER.id", "$USER.email", "$USER.name", "$NOW"];

/** The columns that the service sets in place of the caller. */
export function PresetList({ columns, presets, faultOf, onChange }: PresetListProps) {
  const t = useTranslations("access");
  const names = Object.keys(presets);
  const free = columns.filter(({ name, generated }) => !generated && !names.includes(name));
  const without = (name: string) =>
    Object.fromEntries(Object.entries(presets).filter(([one]) => one !== name));
  const rename = (from: string, to: string) =>
    onChange(
      Object.fromEntries(
        Object.entries(presets).map(([name, value]) =>
          name === from ? [to, null] : [name, value],
        ),
      ),
    );
  const [first] = free;
  return (
    <div className="grid justify-items-start gap-2">
      {names.length > 0 && (
        <ul className="grid w-full max-w-160 gap-2">
          {names.map((name) => {
            const column = columns.find((one) => one.name === name);
            const fault = faultOf(name);
            return (
              <li key={name} className="grid gap-1">
                <div className="grid min-w-0 grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)_auto] items-center gap-1.5 max-sm:grid-cols-[minmax(0,1fr)_auto]">
                  <PlainSelect
                    isWide
                    label={t("preset.column")}
                    value={name}
                    options={[name, ...free.map((one) => one.name)].map((value) => ({
                      value,
                      label: value,
                    }))}
                    onChange={(to) => rename(name, to)}
                  />
                  <PresetValue
                    column={column}
                    name={name}
                    value={presets[name]}
                    onChange={(value) => onChange({ ...presets, [name]: value })}
                  />
                  <IconButton
                    label={t("preset.remove", { name })}
                    icon={X}
                    onPress={() => onChange(without(name))}
                  />
                </div>
                {fault !== undefined && (
                  <p role="alert" className="text-2 text-danger">
                    {fault}
                  </p>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {first !== undefined && (
        <ToolButton onClick={() => onChange({ ...presets, [first.name]: null })}>
          <Plus size={14} aria-hidden="true" />
          {t("preset.add")}
        </ToolButton>
      )}
    </div>
  );
}

function PresetValue(props: {
  readonly column: NavigationColumn | undefined;
  readonly name: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}) {
  const { column, name, value, onChange } = props;
  const t = useTranslations("access");
  const label = t("preset.value", { name });
  const source = value === null ? "null" : isVariable(value) ? value : "literal";
  const own = isVariable(value) && !variables.includes(value) ? [value] : [];
  return (
    <>
      <PlainSelect
        isWide
        label={t("preset.source", { name })}
        value={source}
        options={[
          { value: "null", label: t("preset.null") },
          { value: "literal", label: t("preset.literal") },
          ...[...variables, ...own].map((one) => ({ value: one, label: one })),
        ]}
        onChange={(next) => onChange(next === "null" ? null : next === "literal" ? "" : next)}
      />
      {source === "literal" && column !== undefined ? (
        <ScalarEditor
          isOperand
          column={{ ...column, name: label, label }}
          value={literalOf(value)}
          onChange={(next) => onChange(operandOf(next))}
        />
      ) : (
        <span className="max-sm:hidden" />
      )}
    </>
  );
}
