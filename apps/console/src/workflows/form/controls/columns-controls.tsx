import { writeName } from "@rowhouse/access/written-name";
import { useId } from "react";
import { useTranslations } from "use-intl";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { ArrowDown, ArrowUp, Plus, X } from "../../../ui/icons.generated.ts";
import { ToolButton } from "../../../ui/tool-button.tsx";
import { readOrder, splitList, writeOrder } from "../columns-text.ts";
import { type ControlProps, controlClasses, inputAttributes } from "../control-props.ts";
import { withItem } from "../members.ts";
import { useTable } from "../use-table.ts";

/** Columns: as a text, in which related rows are possible too, and as a choice of the table's own. */
export function FieldsControl(props: ControlProps) {
  const { value, onChange, field } = props;
  const t = useTranslations("workflowForm.table");
  const { columns } = useTable();
  const isList = field.schema.type === "array";
  const chosen = Array.isArray(value) && isList ? value.filter(isString) : splitList(textOf(value));
  const nameIn = (name: string) => (isList ? name : writeName(name));
  const write = (names: readonly string[]) =>
    onChange(names.length === 0 ? undefined : isList ? names : names.join(","));
  return (
    <div className="grid gap-1">
      {!isList && (
        <input
          {...inputAttributes(props)}
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          value={textOf(value)}
          placeholder={t("allColumns")}
          onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
          className={`${controlClasses} font-mono text-2`}
        />
      )}
      {columns.length > 0 && (
        <details className="text-2" open={isList}>
          <summary className="w-fit cursor-default rounded-control py-1 pr-2 text-ink-2 hover:text-ink">
            {t("chooseColumns")}
          </summary>
          <ul className="grid max-h-52 gap-x-4 overflow-auto rounded-control border border-line px-3 py-1 sm:grid-cols-2">
            {columns.map(({ name }) => (
              <li key={name} dir="auto" className="min-w-0 truncate" title={name}>
                <Checkbox
                  label={name}
                  isChecked={chosen.some((one) => one.trim() === nameIn(name))}
                  onChange={(isChosen) => {
                    const others = chosen.filter((one) => one.trim() !== nameIn(name));
                    write(isChosen ? [...others, nameIn(name)] : others);
                  }}
                />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

/** Terms as one text; a workflow may have them as a list. */
function textOf(value: unknown): string {
  return Array.isArray(value) ? value.filter(isString).join() : isString(value) ? value : "";
}

/** The order of rows: columns, each with a direction. A text that is spelled otherwise stays one. */
export function OrderControl(props: ControlProps) {
  const { label, value, onChange } = props;
  const t = useTranslations("workflowForm.table");
  const { columns } = useTable();
  const listId = useId();
  const text = textOf(value);
  const parts = readOrder(text);
  const write = (next: readonly unknown[]) => {
    const written = writeOrder(next as NonNullable<typeof parts>);
    onChange(written === "" ? undefined : written);
  };
  if (parts === undefined) {
    return (
      <input
        {...inputAttributes(props)}
        aria-label={label}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
        className={`${controlClasses} font-mono text-2`}
      />
    );
  }
  const unused = columns.find(({ name }) => !parts.some((part) => part.name === writeName(name)));
  return (
    <div className="grid gap-1">
      {parts.map((part, index) => {
        const labels = { label, position: index + 1 };
        return (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is the identity
            key={index}
            className="grid grid-cols-[minmax(0,1fr)_auto_28px] items-center gap-1"
          >
            <input
              aria-label={t("orderColumn", labels)}
              list={listId}
              autoComplete="off"
              spellCheck={false}
              value={part.name}
              onChange={({ target }) => {
                // Signs of the list itself would make another one of it.
                const name = target.value.replace(/^-/, "");
                if (name !== "") write(withItem(parts, index, { ...part, name }));
              }}
              className={`${controlClasses} font-mono text-2`}
            />
            <ToolButton
              className="w-28"
              aria-label={t("direction", {
                ...labels,
                shown: t(part.isDescending ? "descending" : "ascending"),
              })}
              onClick={() =>
                write(withItem(parts, index, { ...part, isDescending: !part.isDescending }))
              }
            >
              {part.isDescending ? (
                <ArrowDown size={14} aria-hidden="true" />
              ) : (
                <ArrowUp size={14} aria-hidden="true" />
              )}
              {t(part.isDescending ? "descending" : "ascending")}
            </ToolButton>
            <IconButton
              label={t("removeOrder", labels)}
              icon={X}
              onPress={() => write(withItem(parts, index, undefined))}
            />
          </div>
        );
      })}
      <ToolButton
        kind="bare"
        className="justify-self-start"
        aria-label={t("addOrderTo", { label })}
        onClick={() =>
          write([...parts, { name: writeName(unused?.name ?? "id"), isDescending: false }])
        }
      >
        <Plus size={14} aria-hidden="true" />
        {t("addOrder")}
      </ToolButton>
      <datalist id={listId}>
        {columns.map(({ name }) => (
          <option key={name} value={writeName(name)} />
        ))}
      </datalist>
    </div>
  );
}
