import { useRef } from "react";
import { useTranslations } from "use-intl";
import { inputClasses } from "../ui/field.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Plus, X } from "../ui/icons.generated.ts";
import { ToolButton } from "../ui/tool-button.tsx";

interface ListEditorProps {
  readonly label: string;
  readonly describedBy: string;
  readonly isInvalid: boolean;
  /** The entries, one in each line. */
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** A list of short texts; each entry is a field. */
export function ListEditor({ label, describedBy, isInvalid, text, onChange }: ListEditorProps) {
  const t = useTranslations("settings");
  const place = useRef<HTMLUListElement>(null);
  const entries = text === "" ? [] : text.split("\n");
  const change = (next: readonly string[]) => onChange(next.join("\n"));
  const add = () => {
    // An empty text has no entry, so the first one begins with a space, which is cut when it is sent.
    change([...entries, entries.length === 0 ? " " : ""]);
    requestAnimationFrame(() =>
      place.current?.querySelector<HTMLInputElement>("li:last-child input")?.focus(),
    );
  };
  return (
    <div className="grid justify-items-start gap-2">
      <ul ref={place} aria-label={label} className="grid w-full gap-1 empty:hidden">
        {entries.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an entry has no other identity while it is typed
          <li key={index} className="flex items-center gap-1">
            <input
              aria-label={t("entryOf", { title: label, number: index + 1 })}
              aria-describedby={describedBy}
              aria-invalid={isInvalid}
              dir="auto"
              value={entry.trimStart()}
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => {
                const typed = target.value === "" && entries.length === 1 ? " " : target.value;
                change(entries.map((one, other) => (other === index ? typed : one)));
              }}
              onPaste={(event) => {
                const lines = event.clipboardData
                  .getData("text")
                  .trim()
                  .split(/\s*[\n,]\s*/);
                if (lines.length < 2) return;
                event.preventDefault();
                change([...entries.slice(0, index), ...lines, ...entries.slice(index + 1)]);
              }}
              className={`${inputClasses} font-mono text-2`}
            />
            <IconButton
              label={t("removeEntry", { title: label, number: index + 1 })}
              icon={X}
              onPress={() => change(entries.filter((_, other) => other !== index))}
            />
          </li>
        ))}
      </ul>
      <ToolButton onClick={add} aria-label={t("addEntry", { title: label })}>
        <Plus size={14} aria-hidden="true" />
        {t("add")}
      </ToolButton>
    </div>
  );
}
