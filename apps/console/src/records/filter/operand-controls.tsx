import { useId, useRef } from "react";
import { Checkbox } from "../../ui/checkbox.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Plus, X } from "../../ui/icons.generated.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import { JsonEditor } from "../editors/json-editor.tsx";
import { TextEditor } from "../editors/text-editor.tsx";
import type { ValueColumn } from "../values/value-kind.ts";
import { useFilterWords } from "./filter-words.ts";
import { readSearchOperand, searchModes, textColumn, writeSearchOperand } from "./operand.ts";
import { PlainSelect } from "./plain-select.tsx";

interface ArraysEditorProps {
  /** A column of arrays. */
  readonly column: ValueColumn;
  readonly operand: unknown;
  readonly onChange: (operand: unknown) => void;
}

/** Several arrays, each in a line of its own with commas between its elements. */
export function ArraysEditor({ column, operand, onChange }: ArraysEditorProps) {
  const { t } = useFilterWords();
  const isAdded = useRef(false);
  const arrays: readonly unknown[] = Array.isArray(operand) ? operand : [];
  return (
    <fieldset aria-label={t("arrays")} className="grid gap-1">
      {arrays.map((array, index) => {
        const label = t("array", { position: index + 1 });
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the arrays have no identity, and keep their order
          <div key={index} className="flex min-w-0 items-start gap-0.5">
            <div className="min-w-0 flex-1">
              <TextEditor
                isOperand
                autoFocus={isAdded.current && index === arrays.length - 1}
                column={{ ...column, name: label, label }}
                value={array}
                onChange={(next) => onChange(arrays.with(index, next))}
              />
            </div>
            {arrays.length > 1 && (
              <IconButton
                label={t("removeArray", { position: index + 1 })}
                icon={X}
                onPress={() => onChange(arrays.toSpliced(index, 1))}
              />
            )}
          </div>
        );
      })}
      <div>
        <ToolButton
          onClick={() => {
            isAdded.current = true;
            onChange([...arrays, []]);
          }}
        >
          <Plus size={14} aria-hidden="true" />
          {t("addArray")}
        </ToolButton>
      </div>
    </fieldset>
  );
}

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

interface SearchEditorProps {
  readonly operand: unknown;
  readonly onChange: (operand: unknown) => void;
}

/** The words of a full-text search, how they are read, and the language whose word forms are equal. */
export function SearchEditor({ operand, onChange }: SearchEditorProps) {
  const { t } = useFilterWords();
  const listId = useId();
  const search = readSearchOperand(operand);
  const named = (label: string) => ({ ...textColumn, name: label, label });
  if (search === undefined) {
    return <JsonEditor isOperand column={named(t("value"))} value={operand} onChange={onChange} />;
  }
  const { text, mode, config } = search;
  const change = (part: Partial<typeof search>) =>
    onChange(writeSearchOperand({ ...search, ...part }));
  return (
    <div className="grid min-w-0 gap-1">
      <TextEditor
        isOperand
        column={named(t("words"))}
        value={text}
        onChange={(next) => change({ text: next === "" ? undefined : next })}
      />
      <div className="grid min-w-0 grid-cols-2 gap-1">
        <PlainSelect
          isWide
          label={t("searchMode.label")}
          value={mode}
          options={searchModes.map((value) => ({ value, label: t(`searchMode.${value}`) }))}
          onChange={(next) => change({ mode: searchModes.find((one) => one === next) ?? "web" })}
        />
        <input
          type="text"
          list={listId}
          aria-label={t("searchLanguage")}
          placeholder={t("searchLanguageShort")}
          value={config}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={({ target }) => change({ config: target.value.trim() })}
          className="h-7 w-full min-w-0 rounded-control border border-line-input bg-surface px-2.5 placeholder:text-ink-3"
        />
        <datalist id={listId}>
          {languages.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </div>
    </div>
  );
}

/** The configurations that every PostgreSQL has; a database may have others. */
const languages = [
  ...["arabic", "armenian", "basque", "catalan", "danish", "dutch", "english", "finnish", "french"],
  ...["german", "greek", "hindi", "hungarian", "indonesian", "irish", "italian", "lithuanian"],
  ...["nepali", "norwegian", "portuguese", "romanian", "russian", "serbian", "simple", "spanish"],
  ...["swedish", "tamil", "turkish", "yiddish"],
];
