import { writeJson } from "@rowhouse/client";
import { useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import {
  draftOf,
  foreignTerms,
  type GrantDraft,
  type GrantTerms,
  hasTerm,
} from "../../grants/model/grant-draft.ts";
import type { Grant } from "../../grants/model/grant-queries.ts";
import { FilterBar } from "../../records/filter/filter-bar.tsx";
import type { FilterFault } from "../../records/filter/filter-faults.ts";
import type { Where } from "../../records/filter/filter-tree.ts";
import type { FilterResource } from "../../records/filter/use-filter-resource.ts";
import type { NavigationColumn } from "../../shell/navigation.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { faultsOf, MatchCount, useMatchCount } from "./match-count.tsx";
import { PresetList } from "./preset-list.tsx";
import { SameRows, useSameRows } from "./same-rows.tsx";
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
  const same = useSameRows(base, draft, onChange);
  const { conflict, faults, faultAt } = saving;
  const save = async () => {
    const saved = await saving.save(base, draft, same.alike);
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
          <SameRows {...{ found, draft, same }} onChange={onChange} />
        </Section>
      )}
      {hasTerm(action, "check") && (
        <Section
          title={t("part.check")}
          text={t(action === "CREATE" ? "checkTextNew" : "checkText")}
        >
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
              isOfNewRows={action === "CREATE"}
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

interface ConditionEditorProps {
  readonly found: FilterResource;
  /** The member of the request's body, such as `rowFilter`. */
  readonly part: "rowFilter" | "check";
  readonly where: Where | null;
  /** Whether it is asked of new rows alone. */
  readonly isOfNewRows?: boolean;
  /** The faults of the last attempt to save. */
  readonly faults: readonly FilterFault[];
  readonly onChange: (where: Where | null) => void;
}

/** A condition on rows, in the builder of the grid, with the number of rows that it matches now. */
function ConditionEditor(props: ConditionEditorProps) {
  const { found, part, where, faults, onChange } = props;
  const counted = useMatchCount(found, where);
  const shown = useMemo(() => {
    const own = faults
      .filter(({ path }) => path?.startsWith(`/data/${part}`))
      .map((fault) => ({ ...fault, path: fault.path?.replace(`/data/${part}`, "/data/where") }));
    return own.length > 0 ? own : faultsOf(counted.error);
  }, [faults, part, counted.error]);
  return (
    <div className="grid gap-2">
      <FilterBar
        resource={found.resource}
        resources={found.resources}
        where={where ?? undefined}
        faults={shown}
        onChange={(next) => onChange(next ?? null)}
      />
      <MatchCount
        found={found}
        where={where}
        isOfNewRows={props.isOfNewRows === true}
        isPersonal={where !== null && writeJson(where).includes("$USER.")}
      />
    </div>
  );
}

interface FieldChoiceProps {
  readonly columns: readonly NavigationColumn[];
  readonly fields: readonly string[] | null;
  readonly fault: string | undefined;
  readonly onChange: (fields: readonly string[] | null) => void;
}

/** The fields of a grant: all, also later ones, or some. */
function FieldChoice({ columns, fields, fault, onChange }: FieldChoiceProps) {
  const t = useTranslations("access");
  const chosen = new Set(fields ?? []);
  const set = (name: string, isChosen: boolean) =>
    onChange(
      columns.map((one) => one.name).filter((one) => (one === name ? isChosen : chosen.has(one))),
    );
  return (
    <div className="grid gap-2">
      <Checkbox
        label={t("grant.allFields")}
        isChecked={fields === null}
        onChange={(isAll) => onChange(isAll ? null : columns.map(({ name }) => name))}
      />
      {fields !== null && (
        <ul className="grid max-h-72 gap-x-4 overflow-auto rounded-control border border-line px-3 py-2 sm:grid-cols-2 lg:grid-cols-3">
          {columns.map(({ name }) => (
            <li key={name} dir="auto" className="min-w-0 truncate" title={name}>
              <Checkbox
                label={name}
                isChecked={chosen.has(name)}
                onChange={(isChosen) => set(name, isChosen)}
              />
            </li>
          ))}
        </ul>
      )}
      {fields !== null && (
        <div className="flex flex-wrap items-center gap-3">
          <p role="status" className="text-2 text-ink-2">
            {t("grant.someFields", { count: fields.length, all: columns.length })}
          </p>
          {fields.length > 0 && (
            <ToolButton onClick={() => onChange([])}>{t("grant.noFields")}</ToolButton>
          )}
        </div>
      )}
      {fault !== undefined && (
        <p role="alert" className="text-2 text-danger">
          {fault}
        </p>
      )}
    </div>
  );
}

interface GrantConflictProps {
  readonly draft: GrantDraft;
  readonly present: Grant;
  readonly terms: readonly (keyof GrantTerms)[];
  readonly onClose: () => void;
  /** Continues with the terms of the other administrator, or with one's own. */
  readonly onChoose: (whose: "theirs" | "mine") => void;
}

/** Shows both versions of the terms that two administrators have changed. */
function GrantConflictDialog(props: GrantConflictProps) {
  const { draft, present, terms, onClose, onChoose } = props;
  const t = useTranslations("access");
  const words = useTranslations("manage");
  const theirs = draftOf(present);
  return (
    <Dialog title={t("conflict.title")} onClose={onClose} isWide>
      <p className="text-ink-2">{t("conflict.text")}</p>
      {terms.map((term) => (
        <div key={term} className="grid gap-2">
          <h3 className="font-medium">{t(`part.${term}`)}</h3>
          <dl className="grid gap-2 sm:grid-cols-2">
            <Version label={t("conflict.mine")} value={draft[term]} />
            <Version label={t("conflict.theirs")} value={theirs[term]} />
          </dl>
        </div>
      ))}
      <DialogActions>
        <Button onPress={onClose}>{words("cancel")}</Button>
        <Button onPress={() => onChoose("theirs")}>{t("conflict.takeTheirs")}</Button>
        <Button onPress={() => onChoose("mine")}>{t("conflict.keepMine")}</Button>
      </DialogActions>
    </Dialog>
  );
}

function Version({ label, value }: { readonly label: string; readonly value: unknown }) {
  const t = useTranslations("access");
  return (
    <div className="grid content-start gap-1">
      <dt className="text-2 text-ink-2">{label}</dt>
      <dd>
        <code
          dir="ltr"
          className="block max-h-40 overflow-auto rounded-control bg-sunken px-2 py-1 font-mono text-2 wrap-anywhere"
        >
          {value === null ? t("conflict.noTerm") : writeJson(value)}
        </code>
      </dd>
    </div>
  );
}
