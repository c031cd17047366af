import { writeJson } from "@rowhouse/client";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { type GrantDraft, rowFilterOf } from "../../grants/model/grant-draft.ts";
import type { Action, Grant } from "../../grants/model/grant-queries.ts";
import type { Where } from "../../records/filter/filter-tree.ts";
import type { FilterResource } from "../../records/filter/use-filter-resource.ts";
import { client } from "../../shell/client.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useMatchCount } from "./match-count.tsx";

/** The actions on present rows that a person may do without seeing these. */
const unseenActions = ["UPDATE", "DELETE"] as const;
type UnseenAction = (typeof unseenActions)[number];

function isUnseenAction(action: Action): action is UnseenAction {
  return action === "UPDATE" || action === "DELETE";
}

/** The grants of a role on a resource, by action. */
function useGrantsBeside({ roleId, resourceId }: Pick<GrantDraft, "roleId" | "resourceId">) {
  const { data } = useQuery({
    queryKey: ["grants", "beside", roleId, resourceId],
    enabled: roleId !== "" && resourceId !== "",
    queryFn: async ({ signal }) => {
      const query = { roleId, resourceId };
      return (await client.admin.get("/grants", { query, signal })).data;
    },
  });
  if (data === undefined) return undefined;
  return new Map<Action, Grant>(data.map((grant) => [grant.action, grant]));
}

/** Whether two conditions of rows are the same. */
function isSameFilter(one: Where | null, other: Where | null): boolean {
  return writeJson(one) === writeJson(other);
}

/**
 * Returns the actions to which a new filter of READ is extended unless the person says otherwise: those whose rows were
 * the same before.
 */
function alikeActions(
  base: GrantDraft | null,
  draft: GrantDraft,
  beside: ReadonlyMap<Action, Grant> | undefined,
): readonly UnseenAction[] {
  const former = base?.rowFilter ?? null;
  if (draft.action !== "READ" || isSameFilter(former, draft.rowFilter)) return [];
  return unseenActions.filter((action) => {
    const grant = beside?.get(action);
    return grant !== undefined && isSameFilter(rowFilterOf(grant), former);
  });
}

/** Which grants of a role beside one cover the same rows. */
interface SameRowsState {
  /** The grants of the role on the resource, by action; undefined until they are read. */
  readonly beside: ReadonlyMap<Action, Grant> | undefined;
  /** The actions to which a filter of READ is extended when it is saved. */
  readonly alike: readonly UnseenAction[];
  readonly setAlike: (action: UnseenAction, isAlike: boolean) => void;
}

/** Keeps the answers of a person about the grants beside a draft. */
export function useSameRows(
  base: GrantDraft | null,
  draft: GrantDraft,
  onChange: (change: Partial<GrantDraft>) => void,
): SameRowsState {
  const { action, rowFilter } = draft;
  const beside = useGrantsBeside(draft);
  const [answers, setAnswers] = useState<Partial<Record<UnseenAction, boolean>>>({});
  const read = base === null && isUnseenAction(action) ? beside?.get("READ") : undefined;
  const seen = read === undefined ? null : rowFilterOf(read);
  const [isBegun, begin] = useState(false);
  useEffect(() => {
    // A new grant to change or delete begins with the rows that the role reads.
    if (isBegun || seen === null || rowFilter !== null) return;
    begin(true);
    onChange({ rowFilter: seen });
  }, [isBegun, seen, rowFilter, onChange]);
  const proposed = alikeActions(base, draft, beside);
  return {
    beside,
    alike: unseenActions.filter(
      (one) => action === "READ" && beside?.has(one) && (answers[one] ?? proposed.includes(one)),
    ),
    setAlike: (one, isAlike) => setAnswers((last) => ({ ...last, [one]: isAlike })),
  };
}

interface SameRowsProps {
  readonly found: FilterResource;
  readonly draft: GrantDraft;
  readonly same: SameRowsState;
  readonly onChange: (change: Partial<GrantDraft>) => void;
}

/** Asks whether the rows that a role reads are those that it changes and deletes, and says which it does not see. */
export function SameRows(props: SameRowsProps) {
  const { draft } = props;
  const { beside } = props.same;
  if (beside === undefined) return null;
  if (draft.action === "READ") return <OtherActions {...props} beside={beside} />;
  const own = unseenActions.find((action) => action === draft.action);
  return own === undefined ? null : (
    <RowsOfRead {...props} action={own} read={beside.get("READ")} />
  );
}

/** Beside the filter of READ: the grants to change and to delete. */
function OtherActions(props: SameRowsProps & { readonly beside: ReadonlyMap<Action, Grant> }) {
  const { found, draft, beside } = props;
  const { alike, setAlike } = props.same;
  const t = useTranslations("access");
  const others = unseenActions.flatMap((action) => {
    const grant = beside.get(action);
    return grant === undefined || isSameFilter(rowFilterOf(grant), draft.rowFilter)
      ? []
      : [{ action, rowFilter: rowFilterOf(grant) }];
  });
  if (others.length === 0) return null;
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 font-medium">{t("alike.title")}</legend>
      {others.map(({ action, rowFilter }) => {
        const isAlike = alike.includes(action);
        return (
          <div key={action} className="grid gap-1">
            <Checkbox
              label={t(rowFilter === null ? `alike.${action}` : `alike.own.${action}`)}
              isChecked={isAlike}
              onChange={(next) => setAlike(action, next)}
            />
            {!isAlike && (
              <UnseenNotice {...{ found, action }} rows={rowFilter} seen={draft.rowFilter} />
            )}
          </div>
        );
      })}
    </fieldset>
  );
}

/** Beside the filter of UPDATE or DELETE: the rows that the role reads. */
function RowsOfRead(
  props: SameRowsProps & { readonly action: UnseenAction; readonly read: Grant | undefined },
) {
  const { found, draft, action, read, onChange } = props;
  const t = useTranslations("access");
  if (read === undefined) return <Notice kind="info">{t(`alike.unread.${action}`)}</Notice>;
  const seen = rowFilterOf(read);
  const isAlike = isSameFilter(draft.rowFilter, seen);
  if (seen === null) return null;
  return (
    <div className="grid gap-1">
      <Checkbox
        label={t("alike.asRead")}
        isChecked={isAlike}
        onChange={(next) => onChange({ rowFilter: next ? seen : null })}
      />
      {!isAlike && <UnseenNotice {...{ found, action, seen }} rows={draft.rowFilter} />}
    </div>
  );
}

/** Says how many rows a role may change or delete without seeing them. */
function UnseenNotice(props: {
  readonly found: FilterResource;
  readonly action: UnseenAction;
  /** The rows that it may change or delete; null for all. */
  readonly rows: Where | null;
  /** The rows that it reads; null for all. */
  readonly seen: Where | null;
}) {
  const { found, action, rows, seen } = props;
  const t = useTranslations("access");
  const isPersonal = writeJson([rows, seen]).includes("$USER.");
  const unseen = seen === null ? null : { _and: [rows ?? {}, { _not: seen }] };
  const hidden = useMatchCount(found, unseen);
  const all = useMatchCount(found, rows);
  const read = useMatchCount(found, seen);
  // Without a filter of READ, nothing is unseen.
  if (seen === null) return null;
  const [count, allCount, seenCount] = [hidden.data, all.data, read.data];
  if (isPersonal || count === undefined || allCount === undefined || seenCount === undefined) {
    return <Notice kind="info">{t(`alike.some.${action}`)}</Notice>;
  }
  if (count === 0) return null;
  const text =
    rows === null
      ? t(`alike.all.${action}`, { all: allCount, seen: seenCount })
      : t(`alike.part.${action}`, { count });
  return <Notice kind="info">{text}</Notice>;
}
