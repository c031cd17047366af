import { useId } from "react";
import { JsonEditor } from "../editors/json-editor.tsx";
import { TextEditor } from "../editors/text-editor.tsx";
import { useFilterWords } from "./filter-words.ts";
import { textColumn } from "./operand.ts";
import { PlainSelect } from "./plain-select.tsx";
import { readSearchOperand, searchModes, writeSearchOperand } from "./search-operand.ts";

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
