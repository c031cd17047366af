import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslations } from "use-intl";
import { SqlText } from "../../changes/sql-text.tsx";
import { client } from "../../shell/client.ts";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { LockedFields } from "../../shell/managed.tsx";
import { navigationQuery } from "../../shell/navigation.ts";
import { useDraftAnswer } from "../../shell/use-draft-answer.ts";
import { useLeaveGuard } from "../../shell/use-leave-guard.ts";
import { useTask } from "../../shell/use-task.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { structurePath } from "../model/paths.ts";
import { type View, viewQuery } from "../model/queries.ts";
import { DefinitionField } from "./definition-field.tsx";
import { RowPreview } from "./row-preview.tsx";

interface ViewEditorProps {
  readonly schema: string;
  /** Null for a new view. */
  readonly view: View | null;
  readonly isLocked?: boolean;
}

/** The definition of a view, beside the SQL that the service would run. */
export function ViewEditor({ schema, view, isLocked = false }: ViewEditorProps) {
  const t = useTranslations("viewEditor");
  const words = useTranslations("manage");
  const queries = useQueryClient();
  const router = useRouter();
  const { draft, isChanged, isOutdated, change, begin, rebase, base } = useViewDraft(view);
  const preview = useViewPreview(schema, view?.name ?? null, draft);
  const [isSaved, setSaved] = useState(false);
  useLeaveGuard(isChanged, t("leave"));
  const { name, definition, comment, isMaterialized } = draft;
  const task = useTask(async () => {
    const parts = { definition, comment: comment || null };
    if (view === null) {
      const data = { name, ...parts, materialized: isMaterialized };
      const made = await client.admin.post("/schema/{schema}/views", { path: { schema }, data });
      flushSync(() => begin(null));
      const href = structurePath(schema, "view", made.data.name);
      await router.navigate({ href, replace: true });
    } else {
      // The service replaces a view as it is, so the page compares it first.
      const path = { schema, view: view.name };
      const now = (await client.admin.get("/schema/{schema}/views/{view}", { path })).data;
      queries.setQueryData(viewQuery(schema, view.name).queryKey, now);
      if (now.definition !== base?.definition || now.comment !== base.comment) return;
      const { data } = await client.admin.put("/schema/{schema}/views/{view}", {
        path,
        data: parts,
      });
      begin(data);
      queries.setQueryData(viewQuery(schema, view.name).queryKey, data);
      setSaved(true);
    }
    await Promise.all([
      queries.invalidateQueries({ queryKey: ["structure"] }),
      queries.invalidateQueries({ queryKey: navigationQuery.queryKey }),
    ]);
  }, []);
  const faultsAt = (pointer: string) =>
    preview.faults.filter(({ path }) => path === pointer).map(({ message }) => message);
  const others = preview.faults.filter(
    ({ path }) => !["/data/name", "/data/definition", "/data/comment"].includes(path),
  );
  const maySave = preview.sql !== undefined && preview.isCurrent && isChanged && !isOutdated;
  return (
    <form
      className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(18rem,26rem)]"
      onSubmit={(event) => {
        event.preventDefault();
        if (maySave) task.run();
      }}
    >
      <div className="grid gap-4">
        {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
        {isSaved && !isChanged && <Notice kind="ok">{words("saved")}</Notice>}
        {isOutdated && isChanged && (
          <Notice kind="danger">
            <div className="grid justify-items-start gap-2">
              <p>{t("outdated")}</p>
              {view !== null && <SqlText statements={[view.definition]} />}
              <div className="flex flex-wrap gap-2">
                <ToolButton onClick={() => begin(view)}>{t("takeTheirs")}</ToolButton>
                <ToolButton onClick={rebase}>{t("keepMine")}</ToolButton>
              </div>
            </div>
          </Notice>
        )}
        {view === null && (
          <>
            <TextField
              label={words("name")}
              name="name"
              autoComplete="off"
              value={name}
              onChange={(value) => change({ name: value })}
              fault={faultsAt("/data/name")[0]}
              isFirst
            />
            <Checkbox
              label={t("materialized")}
              isChecked={isMaterialized}
              onChange={(value) => change({ isMaterialized: value })}
            />
          </>
        )}
        <DefinitionField
          schema={schema}
          value={definition}
          onChange={(value) => change({ definition: value })}
          faults={faultsAt("/data/definition")}
          isLocked={isLocked}
        />
        <LockedFields isLocked={isLocked}>
          <TextField
            label={t("comment")}
            name="comment"
            autoComplete="off"
            value={comment}
            onChange={(value) => change({ comment: value })}
            fault={faultsAt("/data/comment")[0]}
          />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" kind="primary" isBusy={task.isBusy || !maySave}>
              {words(view === null ? "create" : "save")}
            </Button>
            {isChanged && <Button onPress={() => begin(view)}>{t("discard")}</Button>}
          </div>
        </LockedFields>
        <RowPreview
          {...{ schema, definition }}
          isDisabled={definition.trim() === "" || preview.faults.length > 0}
        />
      </div>
      <Section title={t("sql")} text={t("exactly")}>
        {preview.failure !== null && (
          <FailureNotice error={preview.failure} onRetry={preview.retry} />
        )}
        {others.length > 0 && (
          <Notice kind="danger">
            {others.map(({ path, message }) => (
              <p key={`${path} ${message}`} lang="en">
                {message}
              </p>
            ))}
          </Notice>
        )}
        {preview.sql === undefined ? (
          <p className="text-ink-2">{t("noSql")}</p>
        ) : (
          <SqlText statements={preview.sql} />
        )}
      </Section>
    </form>
  );
}

/** What the service says of the definition of a view. */
interface ViewPreview {
  readonly sql: readonly string[] | undefined;
  readonly faults: readonly { readonly path: string; readonly message: string }[];
  readonly failure: unknown;
  readonly isCurrent: boolean;
  retry(): void;
}

/**
 * Asks for the SQL of a view after each change.
 *
 * @param view the name of the view that is replaced; null for a new one
 */
function useViewPreview(schema: string, view: string | null, draft: ViewDraft): ViewPreview {
  const isEmpty = draft.definition.trim() === "" || (view === null && draft.name === "");
  const { answer, refusal, failure, isCurrent, retry } = useDraftAnswer({
    key: ["view", schema, view],
    body: isEmpty ? "" : JSON.stringify(draft),
    load: (body, signal) => load(schema, view, JSON.parse(body), signal),
  });
  const faults = refusal?.faults ?? [];
  return {
    sql: answer,
    faults: faults.map(({ path = "", message }) => ({ path, message })),
    failure,
    isCurrent,
    retry,
  };
}

async function load(
  schema: string,
  view: string | null,
  { name, definition, comment, isMaterialized }: ViewDraft,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const parts = { definition, comment: comment || null };
  if (view === null) {
    const data = { name, ...parts, materialized: isMaterialized };
    const options = { path: { schema }, data, signal };
    return (await client.admin.post("/schema/{schema}/views/preview", options)).data.sql;
  }
  const data = { ...parts, action: "replace" as const };
  const options = { path: { schema, view }, data, signal };
  return (await client.admin.post("/schema/{schema}/views/{view}/preview", options)).data.sql;
}

/** A view as a person edits it. */
interface ViewDraft {
  readonly name: string;
  readonly definition: string;
  readonly comment: string;
  readonly isMaterialized: boolean;
}

function draftOf(view: View | null): ViewDraft {
  return {
    name: view?.name ?? "",
    definition: view?.definition ?? "",
    comment: view?.comment ?? "",
    isMaterialized: view?.materialized ?? false,
  };
}

/** The draft of a view, and the view from which it began. */
function useViewDraft(view: View | null) {
  const [base, setBase] = useState(view);
  const [draft, setDraft] = useState(() => draftOf(view));
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(base));
  const isOutdated = base?.definition !== view?.definition || base?.comment !== view?.comment;
  useEffect(() => {
    if (!isOutdated || isChanged) return;
    setBase(view);
    setDraft(draftOf(view));
  }, [isOutdated, isChanged, view]);
  return {
    base,
    draft,
    isChanged,
    /** Whether the view now has another definition or comment than when the draft began. */
    isOutdated,
    change: (edit: Partial<ViewDraft>) => setDraft((last) => ({ ...last, ...edit })),
    /** Begins a new draft of a view. */
    begin: (next: View | null) => {
      setBase(next);
      setDraft(draftOf(next));
    },
    /** Keeps what was typed, and takes the view as it is now for its beginning. */
    rebase: () => setBase(view),
  };
}
