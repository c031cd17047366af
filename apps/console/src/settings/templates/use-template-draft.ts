import { RowhouseError } from "@rowhouse/client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../shell/client.ts";
import { carryOver, changedFields } from "../../shell/use-record-form.ts";
import { type Task, useTask } from "../../shell/use-task.ts";
import type { PartName, Template, TemplateKind } from "./template-parts.ts";
import { documentsQuery, templateQuery, templatesQuery } from "./template-queries.ts";

/** A part that another administrator changed too, with that administrator's text. */
export interface ForeignPart {
  readonly name: PartName;
  readonly text: string | null;
}

/** The parts of a template as they are typed. */
export interface TemplateDraft<Parts> {
  readonly stored: Parts;
  readonly parts: Parts;
  readonly changes: Partial<Parts>;
  readonly isChanged: boolean;
  readonly outcome: "saved" | "conflict" | undefined;
  /** The parts that are typed here and that another administrator has changed meanwhile. */
  readonly foreign: readonly ForeignPart[];
  readonly saving: Task;
  set(changes: Partial<Parts>): void;
  discard(): void;
}

/**
 * Keeps what is typed until it is saved. If another administrator has saved the template meanwhile, the parts that were
 * not typed here take the new text, and nothing is overwritten before a second press.
 */
export function useTemplateDraft<Parts extends Readonly<Record<keyof Parts, string | null>>>(
  kind: TemplateKind<Parts>,
  template: Template,
  etag: string | undefined,
): TemplateDraft<Parts> {
  const { id } = template;
  const cache = useQueryClient();
  const [base, setBase] = useState({ parts: kind.partsOf(template), etag });
  const [parts, setParts] = useState(base.parts);
  const [outcome, tell] = useState<"saved" | "conflict">();
  const [foreign, setForeign] = useState<readonly ForeignPart[]>([]);
  const changes = changedFields(base.parts, parts);
  const restart = (answer: { readonly data: Template; readonly etag: string | undefined }) => {
    const next = kind.partsOf(answer.data);
    setBase({ parts: next, etag: answer.etag });
    return next;
  };
  const saving = useTask(async () => {
    tell(undefined);
    // Its field shows the fault.
    const data = kind.toData(changes);
    if (data === undefined) return;
    try {
      const options = { path: { id }, data, ifMatch: base.etag };
      const answer = await client.admin.patch("/templates/{id}", options);
      cache.setQueryData(templateQuery(id).queryKey, answer);
      setParts(restart(answer));
      setForeign([]);
      tell("saved");
    } catch (error) {
      if (!(error instanceof RowhouseError && error.status === 412)) throw error;
      const answer = await cache.fetchQuery({ ...templateQuery(id), staleTime: 0 });
      const now = restart(answer);
      setForeign(
        kind.names
          .filter((name) => name in changes && now[name] !== base.parts[name])
          .map((name) => ({ name, text: now[name] })),
      );
      setParts(carryOver(parts, base.parts, now));
      tell("conflict");
    }
    const { queryKey } = template.kind === "MAIL" ? templatesQuery : documentsQuery;
    await cache.invalidateQueries({ queryKey, exact: true });
  }, []);
  return {
    ...{ parts, changes, outcome, foreign, saving },
    stored: base.parts,
    isChanged: Object.keys(changes).length > 0,
    set: (some) => {
      tell(undefined);
      setParts((last) => ({ ...last, ...some }));
    },
    discard: () => {
      setForeign([]);
      tell(undefined);
      setParts(base.parts);
    },
  };
}
