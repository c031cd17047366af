import { useState } from "react";
import { useTranslations } from "use-intl";
import { Plus } from "../../ui/icons.generated.ts";
import { Section } from "../../ui/section.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { LineField } from "../columns/line-field.tsx";
import { useDraft } from "../draft/draft-context.ts";
import { addPart } from "../model/edit-draft.ts";
import { valueAt } from "../model/value-at.ts";
import { ConstraintActions, NewPartActions, PartDialog, PartList, PartRow } from "./tab-parts.tsx";

/** The checks of a table, each with the message that callers receive when it fails. */
export function ChecksTab() {
  const t = useTranslations("tableDraft");
  const { table, draft, change, faultsAt } = useDraft();
  const [isAdding, setAdding] = useState(false);
  if (table === null) return null;
  const isEmpty = table.checks.length === 0 && draft.parts.every(({ kind }) => kind !== "check");
  return (
    <Section
      title={t("checks")}
      text={t("checksText")}
      aside={
        <ToolButton onClick={() => setAdding(true)}>
          <Plus size={14} aria-hidden="true" />
          {t("addCheck")}
        </ToolButton>
      }
    >
      <PartList label={t("checks")}>
        {table.checks.map(({ name, expression, message, validated }) => {
          const isDropped = Object.hasOwn(draft.droppedConstraints, name);
          return (
            <PartRow
              key={name}
              place={`constraint/${name}`}
              name={<code className="font-mono text-2">{expression}</code>}
              facts={
                <span className="grid gap-1.5">
                  {validated ? name : `${name} · ${t("notValidated")}`}
                  {!isDropped && (
                    <LineField
                      label={t("checkMessage")}
                      value={valueAt(draft.messages, name) ?? message ?? ""}
                      onChange={(text) =>
                        change((last) => ({
                          ...last,
                          messages: { ...last.messages, [name]: text },
                        }))
                      }
                      fault={
                        faultsAt(`constraint/${name}`).find(
                          ({ member }) => member === "checkMessage",
                        )?.message
                      }
                    />
                  )}
                </span>
              }
              mark={isDropped ? "dropped" : undefined}
            >
              <ConstraintActions name={name} />
            </PartRow>
          );
        })}
        {draft.parts.map((part) =>
          part.kind === "check" ? (
            <PartRow
              key={part.id}
              place={`part/${part.id}`}
              name={<code className="font-mono text-2">{part.check}</code>}
              facts={part.checkMessage}
              mark="added"
            >
              <NewPartActions id={part.id} />
            </PartRow>
          ) : null,
        )}
      </PartList>
      {isEmpty && <p className="text-ink-2">{t("noChecks")}</p>}
      {isAdding && <CheckDialog onClose={() => setAdding(false)} />}
    </Section>
  );
}

/** Adds a check to the draft. */
function CheckDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations("tableDraft");
  const { change } = useDraft();
  const [check, setCheck] = useState("");
  const [checkMessage, setMessage] = useState("");
  return (
    <PartDialog
      title={t("addCheck")}
      isComplete={check.trim() !== ""}
      onClose={onClose}
      onAdd={() => {
        const part = { id: crypto.randomUUID(), kind: "check" as const, check, checkMessage };
        change((last) => addPart(last, part));
      }}
    >
      <LineField
        label={t("check")}
        hint={t("tableCheckHint")}
        value={check}
        onChange={setCheck}
        isCode
      />
      <LineField
        label={t("checkMessage")}
        hint={t("checkMessageHint")}
        value={checkMessage}
        onChange={setMessage}
      />
    </PartDialog>
  );
}
