import { RowhouseError } from "@rowhouse/client";
import { useRef, useState } from "react";
import { client } from "../../shell/client.ts";
import { useTask } from "../../shell/use-task.ts";
import { isSameJson } from "../model/code-text.ts";
import type { Definition } from "../model/definition.ts";
import {
  beginHistory,
  codeOf,
  recordDefinition,
  recordText,
  redo,
  undo,
} from "../model/edition-history.ts";
import type { DefinitionFault } from "../model/faults.ts";
import { useWorkflowChange } from "../parts/workflow-queries.ts";
import { type StoredDraft, storedDraft } from "./draft-query.ts";

/** The paths of the faults of a definition begin so in a request that stores it. */
export const bodyPath = "/data/definition";

/** A draft as it is edited: one definition for the tree and the code, with undo, until it is saved. */
export type Draft = ReturnType<typeof useDraft>;

/** Keeps what is edited until it is saved. Nothing that another administrator has saved meanwhile is overwritten unseen. */
export function useDraft(loaded: StoredDraft) {
  const [history, setHistory] = useState(() => beginHistory(loaded.definition));
  const [base, setBase] = useState(loaded);
  const [foreign, setForeign] = useState<StoredDraft>();
  const [refused, setRefused] = useState<{
    readonly definition: Definition;
    readonly faults: readonly DefinitionFault[];
  }>();
  const [isSaved, setSaved] = useState(false);
  const onChange = useWorkflowChange();
  const { id } = base.workflow;
  const { definition } = history.present;
  const latest = useRef({ history, base });
  latest.current = { history, base };
  const isChanged = definition === undefined || !isSameJson(definition, base.definition);

  /** Stores the draft; returns its tag, or undefined if another administrator has changed it. */
  const store = async (): Promise<StoredDraft | undefined> => {
    const sent = latest.current.history.present.definition;
    if (sent === undefined) return undefined;
    setForeign(undefined);
    setRefused(undefined);
    const send = async (etag: string | undefined) => {
      const options = { path: { id }, data: { definition: { ...sent } }, ifMatch: etag };
      const answer = storedDraft(await client.admin.patch("/workflows/{id}", options));
      // The service adds defaults; what was typed stays as it was typed.
      const stored = { ...answer, definition: sent };
      setBase(stored);
      setSaved(true);
      await onChange(answer.workflow);
      return stored;
    };
    try {
      return await send(latest.current.base.etag);
    } catch (error) {
      if (error instanceof RowhouseError && error.status === 412) {
        const path = { id };
        const now = storedDraft(await client.admin.get("/workflows/{id}", { path }));
        // Only the name or the slug is another one.
        if (isSameJson(now.definition, latest.current.base.workflow.definition)) {
          return send(now.etag);
        }
        setForeign(now);
        return undefined;
      }
      const faults = error instanceof RowhouseError ? definitionFaults(error) : [];
      if (faults.length > 0) setRefused({ definition: sent, faults });
      throw error;
    }
  };
  const saving = useTask(async () => {
    await store();
  }, [bodyPath]);
  const begin = () => setSaved(false);
  return {
    id,
    workflow: base.workflow,
    definition,
    code: codeOf(history.present),
    isChanged,
    isSaved: isSaved && !isChanged,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    /** The draft of another administrator, saved since this one was read. */
    foreign,
    /** The faults for which the service did not store this definition. */
    refused: refused?.definition === definition ? refused?.faults : undefined,
    saving,
    /** The draft as it is stored, while nothing is changed. */
    stored: base,
    store,
    /** Changes the definition. Changes of the same subject shortly after each other are undone together. */
    change: (next: Definition, subject?: string) => {
      begin();
      setHistory((last) => recordDefinition(last, next, subject, Date.now()));
    },
    type: (text: string) => {
      begin();
      setHistory((last) => recordText(last, text, Date.now()));
    },
    undo: () => setHistory(undo),
    redo: () => setHistory(redo),
    /** Continues with the draft of the other administrator; undo returns to one's own. */
    takeTheirs: () => {
      if (foreign === undefined) return;
      setHistory((last) => recordDefinition(last, foreign.definition, undefined, Date.now()));
      setBase(foreign);
      setForeign(undefined);
    },
    /** Keeps one's own draft, which the next save stores in place of the other one. */
    keepMine: () => {
      if (foreign === undefined) return;
      setBase(foreign);
      setForeign(undefined);
    },
    published: (answer: Parameters<typeof storedDraft>[0]) => {
      setBase((last) => ({ ...storedDraft(answer), definition: last.definition }));
      return onChange(answer.data);
    },
  };
}

function definitionFaults({ faults }: RowhouseError): DefinitionFault[] {
  return faults.flatMap(({ code, path, message }) =>
    path?.startsWith(bodyPath) === true
      ? [{ code, path: path.slice(bodyPath.length), message, severity: "ERROR" as const }]
      : [],
  );
}
