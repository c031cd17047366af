import { useTranslations } from "use-intl";
import { classes } from "../../ui/classes.ts";
import type { PanelContentParts } from "./draft.ts";
import type { Field } from "./fields.ts";
import { contentIcon } from "./kind-icon.ts";
import { isSameContent } from "./panel-content-edit.ts";
import type { Proposal } from "./proposal.ts";
import { useTermWords } from "./use-term-words.ts";

interface ProposalListProps {
  readonly proposals: readonly Proposal[];
  /** The content of the panel without its filter. */
  readonly present: PanelContentParts;
  readonly fields: readonly Field[];
  readonly table: string;
  readonly onTake: (proposal: Proposal) => void;
}

/** The panels that fit the chosen columns; a press takes another one. */
export function ProposalList({ proposals, present, fields, table, onTake }: ProposalListProps) {
  const t = useTranslations("dashboardBuilder");
  const words = useTermWords(fields);
  if (proposals.length < 2) return null;
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 font-medium">{t("fits")}</legend>
      <ul className="flex flex-wrap gap-1.5">
        {proposals.map((proposal) => {
          const { content } = proposal;
          const Icon = contentIcon(content);
          const isTaken = isSameContent(content, present);
          const what = words.titleOf(proposal, table);
          return (
            <li key={JSON.stringify(content)} className="max-w-full">
              <button
                type="button"
                aria-pressed={isTaken}
                title={what}
                onClick={() => onTake(proposal)}
                className={classes(
                  "inline-flex h-7 max-w-full items-center gap-1.5 rounded-control border px-2.5",
                  isTaken
                    ? "border-accent bg-accent-soft"
                    : "border-line-strong bg-surface hover:bg-sunken",
                )}
              >
                <Icon size={14} aria-hidden="true" className="shrink-0 text-ink-2" />
                {content.kind === "FIGURE" ? (
                  <span className="truncate" dir="auto">
                    {what}
                  </span>
                ) : (
                  words.formText(content)
                )}
              </button>
            </li>
          );
        })}
      </ul>
    </fieldset>
  );
}
