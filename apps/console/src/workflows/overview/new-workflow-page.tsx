import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTimeZone, useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { useTitle } from "../../shell/use-title.ts";
import { linkClasses } from "../../ui/classes.ts";
import { PageHead, pageClasses } from "../../ui/page-head.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { walkSteps } from "../model/branches.ts";
import { type Definition, fieldOf, isJsonObject, kindOf } from "../model/definition.ts";
import { iconOf } from "../parts/kind-icon.ts";
import {
  type TriggerKind,
  triggerKindOf,
  triggerKinds,
  useKindName,
} from "../parts/kinds-query.ts";
import { ExampleNeeds } from "./example-needs.tsx";
import { firstDefinition } from "./first-definition.ts";
import { NewWorkflowDialog } from "./new-workflow-dialog.tsx";

/** The examples in their order; the page has their titles and sentences. */
type ExampleId =
  keyof typeof import("../../words/en/administration/workflows.ts")["workflowExamples"];

interface Example {
  readonly id: ExampleId;
  readonly definition: Definition;
}

const examplesQuery = {
  queryKey: ["workflow-examples"],
  staleTime: Number.POSITIVE_INFINITY,
  // The file has the ids of the words, which a test compares.
  queryFn: async () => (await import("./examples.json")).default as readonly Example[],
};

/** Where a workflow begins: with a trigger alone, or with an example. */
export function NewWorkflowPage() {
  const t = useTranslations("workflows");
  const words = useTranslations("manage");
  const texts = useTranslations("workflowExamples");
  const timeZone = useTimeZone() ?? "UTC";
  const examples = useQuery(examplesQuery);
  const [kind, setKind] = useState<TriggerKind>();
  const [example, setExample] = useState<Example>();
  useTitle(t("new"));
  return (
    <div className={pageClasses}>
      <PageHead
        title={t("new")}
        text={t("begin.text")}
        trail={
          <>
            <AppLink href="/admin/workflows" className={linkClasses}>
              {t("title")}
            </AppLink>
            {" /"}
          </>
        }
      />
      <Section title={t("begin.trigger")}>
        <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
          {triggerKinds.map((one) => (
            <Choice
              key={one}
              kind={one}
              title={t(`triggers.${one}`)}
              text={t(`begin.triggers.${one}`)}
              onPress={() => setKind(one)}
            />
          ))}
        </ul>
      </Section>
      <Section title={t("begin.example")} text={t("begin.exampleText")}>
        {examples.error !== null && (
          <FailureNotice error={examples.error} onRetry={() => void examples.refetch()} />
        )}
        {examples.isPending && <Skeleton label={words("loading")} rows={6} />}
        <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
          {examples.data?.map((one) => (
            <Choice
              key={one.id}
              kind={kindOf(fieldOf(one.definition, "trigger"))}
              title={texts(`${one.id}.title`)}
              text={texts(`${one.id}.text`)}
              onPress={() => setExample(one)}
            >
              <ExampleSteps definition={one.definition} />
            </Choice>
          ))}
        </ul>
      </Section>
      {kind !== undefined && (
        <NewWorkflowDialog
          title={`${t("new")}: ${t(`triggers.${kind}`)}`}
          name=""
          definitionFor={(userId) => firstDefinition(kind, userId, timeZone)}
          onClose={() => setKind(undefined)}
        />
      )}
      {example !== undefined && (
        <NewWorkflowDialog
          title={texts(`${example.id}.title`)}
          name={texts(`${example.id}.title`)}
          definitionFor={(userId) => ofUser(example.definition, userId)}
          onClose={() => setExample(undefined)}
        >
          <p>{texts(`${example.id}.text`)}</p>
          <ExampleNeeds definition={example.definition} />
        </NewWorkflowDialog>
      )}
    </div>
  );
}

/** The definition of an example, whose runs have the rights of a user. */
function ofUser(definition: Definition, userId: string): Definition {
  const trigger = fieldOf(definition, "trigger");
  return {
    ...definition,
    trigger: { ...(isJsonObject(trigger) ? trigger : {}), executeAs: userId },
  };
}

interface ChoiceProps {
  /** Of the trigger. */
  readonly kind: string;
  readonly title: string;
  readonly text: string;
  readonly onPress: () => void;
  readonly children?: ReactNode;
}

/** Something with which a workflow begins. */
function Choice({ kind, title, text, onPress, children }: ChoiceProps) {
  const Icon = iconOf(kind);
  return (
    <li className="grid">
      <button
        type="button"
        onClick={onPress}
        className="grid content-start gap-1 rounded-panel border border-line bg-surface p-4 text-left hover:border-accent focus-visible:border-accent"
      >
        <span className="flex items-center gap-2 font-medium">
          <Icon size={16} aria-hidden="true" className="shrink-0 text-ink-2" />
          {title}
        </span>
        <span className="text-ink-2">{text}</span>
        {children}
      </button>
    </li>
  );
}

/** The trigger of an example, and an icon for each kind of its steps. */
function ExampleSteps({ definition }: { readonly definition: Definition }) {
  const t = useTranslations("workflows");
  const kindName = useKindName();
  const trigger = triggerKindOf(definition);
  const kinds = new Set([...walkSteps(definition, [])].map(({ step }) => kindOf(step)));
  return (
    <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-2 text-ink-2">
      {trigger !== undefined && t(`triggers.${trigger}`)}
      <span className="flex gap-1.5">
        {[...kinds].map((kind) => {
          const Icon = iconOf(kind);
          return (
            <span key={kind} role="img" aria-label={kindName(kind)} title={kindName(kind)}>
              <Icon size={14} aria-hidden="true" />
            </span>
          );
        })}
      </span>
    </span>
  );
}
