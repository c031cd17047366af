import { useTranslations } from "use-intl";
import { ToolButton } from "../../ui/tool-button.tsx";
import type { RenderedMail } from "./use-template-preview.ts";

interface VariableListProps {
  readonly variables: readonly string[];
  /** The values of the last mail that could be rendered. */
  readonly used: RenderedMail["variables"];
  /** What was typed in place of the sample values. */
  readonly values: Readonly<Record<string, string>>;
  readonly onInsert: (text: string) => void;
  readonly onChange: (name: string, value: string) => void;
}

/** The variables of a mail: a button inserts one, and a field has the value that the preview shows for it. */
export function VariableList(props: VariableListProps) {
  const { variables, used, values, onInsert, onChange } = props;
  const t = useTranslations("templates");
  return (
    <ul aria-label={t("variables")} className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
      {variables.map((name) => {
        const sample = String(used.find((one) => one.name === name)?.value ?? "");
        const source = `{{ ${name} }}`;
        return (
          <li key={name} className="flex min-w-0 items-center gap-2">
            <ToolButton aria-label={t("insert", { name })} onClick={() => onInsert(source)}>
              <code className="font-mono text-2">{source}</code>
            </ToolButton>
            {name === "link" ? (
              <code className="min-w-0 truncate text-2 text-ink-2" title={sample}>
                {sample}
              </code>
            ) : (
              <input
                aria-label={t("valueOf", { name })}
                dir="auto"
                autoComplete="off"
                spellCheck={false}
                value={values[name] ?? sample}
                onChange={(event) => onChange(name, event.target.value)}
                className="h-7 min-w-0 flex-1 rounded-control border border-line-input bg-surface px-2"
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}
