import { useState } from "react";
import { useTranslations } from "use-intl";
import type { FilterResource } from "../../records/filter/use-filter-resource.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import type { Grant } from "../access-queries.ts";
import { ConditionEditor } from "./condition-editor.tsx";
import { FieldChoice } from "./field-choice.tsx";
import { GrantConflictDialog } from "./grant-conflict.tsx";
import { draftOf, type GrantDraft, hasTerm } from "./grant-draft.ts";
import { foreignTerms } from "./grant-terms.ts";
import { PresetList } from "./preset-list.tsx";
import type { GrantSaving } from "./use-save-grant.ts";

interface GrantFormProps {
  readonly found: FilterResource;
  readonly draft: GrantDraft;
  /** The stored terms that the draft was made from; null for a new grant. */
  readonly base: GrantDraft | null;
  readonly saving: GrantSaving;
  readonly onChange: (change: Partial<GrantDraft>) => void;
  readonly onSaved: (grant: Grant) => void;
  /** Takes the present version of another administrator as the one that the draft changes. */
  readonly onRebase: (present: GrantDraft, draft: GrantDraft) => void;
}

/** The terms of a grant: fields, rows, the check of new rows, and presets. */
export function GrantForm(props: GrantFormProps) {
  const { found, draft, base, saving, onChange } = props;
  const { action, rowFilter, check, presets } = draft;
  const t = useTranslations("access");
  const words = useTranslations("manage");
  const [hasOwnCheck, setOwnCheck] = useState(check !== null);
  const { conflict, faults, faultAt } = saving;
  const save = async () => {
    const saved = await saving.save(base, draft);
    if (saved !== undefined) props.onSaved(saved);
  };
  return (
    <form
      className="grid gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {hasTerm(action, "fields") && (
        <Section title={t("part.fields")} text={t(`fieldsText.${action as "READ"}`)}>
          <FieldChoice
            columns={found.resource.columns}
            fields={draft.fields}
            fault={faultAt("/data/fields")}
            onChange={(fields) => onChange({ fields })}
          />
        </Section>
      )}
      {hasTerm(action, "rowFilter") && (
        <Section title={t("part.rowFilter")} text={t(`rowFilterText.${action as "READ"}`)}>
          <ConditionEditor
            {...{ found, faults }}
            part="rowFilter"
            where={rowFilter}
            onChange={(where) => onChange({ rowFilter: where })}
          />
        </Section>
      )}
      {hasTerm(action, "check") && (
        <Section title={t("part.check")} text={t("checkText")}>
          {action === "UPDATE" && (
            <Checkbox
              label={t("grant.ownCheck")}
              isChecked={hasOwnCheck}
              onChange={(isOwn) => {
                setOwnCheck(isOwn);
                onChange({ check: isOwn ? (rowFilter ?? {}) : null });
              }}
            />
          )}
          {(hasOwnCheck || action === "CREATE") && (
            <ConditionEditor
              {...{ found, faults }}
              part="check"
              where={check}
              onChange={(where) => onChange({ check: where ?? (action === "UPDATE" ? {} : null) })}
            />
          )}
        </Section>
      )}
      {hasTerm(action, "presets") && (
        <Section title={t("part.presets")} text={t("presetsText")}>
          <PresetList
            columns={found.resource.columns}
            presets={presets}
            faultOf={(name) => faultAt(`/data/presets/${name}`)}
            onChange={(next) => onChange({ presets: next })}
          />
        </Section>
      )}
      {saving.failure !== undefined && <Notice kind="danger">{saving.failure}</Notice>}
      {conflict?.kind === "DELETED" && <Notice kind="danger">{t("conflict.deleted")}</Notice>}
      <div>
        <Button type="submit" kind="primary" isBusy={saving.isBusy}>
          {words(base === null ? "create" : "save")}
        </Button>
      </div>
      {conflict?.kind === "CHANGED" && (
        <GrantConflictDialog
          draft={draft}
          present={conflict.present}
          terms={conflict.terms}
          onClose={saving.endConflict}
          onChoose={(whose) => {
            const present = draftOf(conflict.present);
            const taken = Object.fromEntries(conflict.terms.map((term) => [term, present[term]]));
            // Parts that only the other administrator has changed stay as they are.
            const foreign = foreignTerms(base ?? present, draft, present);
            saving.endConflict();
            props.onRebase(present, { ...draft, ...foreign, ...(whose === "mine" ? {} : taken) });
          }}
        />
      )}
    </form>
  );
}
