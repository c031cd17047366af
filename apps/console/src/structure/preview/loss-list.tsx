import { useTranslations } from "use-intl";
import type { ChangePreview } from "../draft/use-preview.ts";
import { PaneSection } from "./pane-section.tsx";

/** What a change takes away: values, keys, views with their grants, relations. */
export function LossList({ losses }: { readonly losses: ChangePreview["losses"] }) {
  const t = useTranslations("tableDraft");
  return (
    <PaneSection title={t("losses")}>
      <ul className="grid gap-1">
        {losses.map(({ path, object, name, note }) => (
          <li key={`${path} ${object} ${name}`} className="wrap-anywhere">
            <span lang="en" className="text-ink-2">
              {object}
            </span>{" "}
            <code className="font-mono text-2">{name}</code>
            {note !== null && (
              <span lang="en" className="text-ink-2">
                {" "}
                · {note}
              </span>
            )}
          </li>
        ))}
      </ul>
    </PaneSection>
  );
}
