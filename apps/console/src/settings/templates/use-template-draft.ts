import { RowhouseError } from "@rowhouse/client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { carryOver, changedFields } from "../../shell/changed-fields.ts";
import { client } from "../../shell/client.ts";
import { type Task, useTask } from "../../shell/use-task.ts";
import {
  type MailTemplate,
  type PartName,
  partNames,
  partsOf,
  type TemplateParts,
} from "./template-parts.ts";
import { templateQuery, templatesQuery } from "./template-queries.ts";

/** A part that another administrator changed too, with that administrator's text. */
export interface ForeignPart {
  readonly name: PartName;
  readonly text: string | null;
}

/** The parts of a template as they are typed. */
export interface TemplateDraft {
  readonly stored: TemplateParts;
  readonly parts: TemplateParts;
  readonly changes: Partial<TemplateParts>;
  readonly isChanged: boolean;
  readonly outcome: "saved" | "conflict" | undefined;
  /** The parts that are typed here and that another administrator has changed meanwhile. */
  readonly foreign: readonly ForeignPart[];
  readonly saving: Task;
  set(changes: Partial<TemplateParts>): void;
  discard(): void;
}

/**
 * Keeps what is typed until it is saved. If another administrator has saved the template meanwhile, the parts that were
 * not typed here take the new text, and nothing is overwritten before a second press.
 */
export function useTemplateDraft(template: MailTemplate, etag: string | undefined): TemplateDraft {
  const { id } = template;
  const cache = useQueryClient();
  const [base, setBase] = useState({ parts: partsOf(template), etag });
  const [parts, setParts] = useState(base.parts);
  const [outcome, tell] = useState<"saved" | "conflict">();
  const [foreign, setForeign] = useState<readonly ForeignPart[]>([]);
  const changes = changedFields(base.parts, parts);
  const restart = (answer: { readonly data: MailTemplate; readonly etag: string | undefined }) => {
    const next = partsOf(answer.data);
    setBase({ parts: next, etag: answer.etag });
    return next;
  };
  const saving = useTask(async () => {
    tell(undefined);
    try {
      const options = { path: { id }, data: changes, ifMatch: base.etag };
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
        partNames
          .filter((name) => name in changes && now[name] !== base.parts[name])
          .map((name) => ({ name, text: now[name] })),
      );
      setParts(carryOver(parts, base.parts, now));
      tell("conflict");
    }
    await cache.invalidateQueries({ queryKey: templatesQuery.queryKey, exact: true });
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
