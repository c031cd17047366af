import { useCallback, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslations } from "use-intl";
import { useManagedLock } from "../../shell/managed.tsx";
import { PersonPicker, usePerson } from "../../shell/person-picker.tsx";
import { useLeaveGuard } from "../../shell/use-leave-guard.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Section } from "../../ui/section.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { PartField } from "./part-field.tsx";
import {
  HtmlFrame,
  PreviewPanel,
  type RenderedMail,
  requireRenderedMail,
  type TemplatePreview,
  TestMail,
  useTemplatePreview,
} from "./preview-panel.tsx";
import { ForeignParts, TemplateActions, TemplateHead } from "./template-head.tsx";
import { TemplateState } from "./template-list.tsx";
import {
  isSameText,
  type MailTemplate,
  mailPartNames,
  mails,
  type MailPartName as PartName,
  type TemplateParts,
  useMailNames,
} from "./template-parts.ts";
import { type TemplateDraft, useTemplateDraft } from "./use-template-draft.ts";

interface TemplateEditorProps {
  readonly template: MailTemplate;
  readonly etag: string | undefined;
}

/** The parts of a mail, its variables, and beside them the mail that they make. */
export function TemplateEditor({ template, etag }: TemplateEditorProps) {
  const t = useTranslations("templates");
  const draft = useTemplateDraft(mails, template, etag);
  const lock = useManagedLock("templates", [template.key, template.language]);
  const { isLocked } = lock;
  const { parts, changes } = draft;
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const sent = { ...changes, values: typedValues(values) };
  const preview = useTemplatePreview(template.id, draft.stored, sent, requireRenderedMail);
  const insertion = useInsertion((name, text) => draft.set({ [name]: text }));
  const firstHtml = draft.stored.html ?? template.builtIn?.html ?? "<p></p>";
  const restore = restoreOf(template, draft);
  const { nameOf, occasionOf } = useMailNames();
  useLeaveGuard(draft.isChanged, t("leave"));
  return (
    <>
      <TemplateHead
        template={template}
        name={nameOf(template.key)}
        text={occasionOf(template.key)}
        state={<TemplateState template={template} />}
        canDelete={template.language !== "en"}
        lock={lock}
      >
        {restore !== undefined && (
          <ToolButton disabled={isLocked} onClick={restore}>
            {t("restore")}
          </ToolButton>
        )}
      </TemplateHead>
      <div className="grid items-start gap-6 xl:grid-cols-2 [&>*]:min-w-0">
        <div className="grid gap-5">
          {draft.outcome === "conflict" && <ForeignParts parts={draft.foreign} />}
          <Section title={t("variables")} text={t("variablesText")}>
            <PersonValues
              variables={template.variables}
              onChange={(found) => setValues((last) => ({ ...last, ...found }))}
            />
            <VariableList
              variables={template.variables}
              used={preview.shown?.variables ?? []}
              values={values}
              isLocked={isLocked}
              onInsert={insertion.insert}
              onChange={(name, value) => setValues((last) => ({ ...last, [name]: value }))}
            />
          </Section>
          <form noValidate onSubmit={draft.saving.submit} className="grid gap-4 **:scroll-mb-24">
            {mailPartNames.map((name) => {
              const text = parts[name];
              return text === null ? null : (
                <PartField
                  key={name}
                  name={name}
                  isLocked={isLocked}
                  text={text}
                  fault={preview.faultAt(`/data/${name}`)}
                  input={(input) => insertion.place(name, input)}
                  onFocus={() => insertion.choose(name)}
                  onChange={(next) => draft.set({ [name]: next })}
                />
              );
            })}
            <Checkbox
              label={t("withHtml")}
              isChecked={parts.html !== null}
              isDisabled={isLocked}
              onChange={(isOn) => draft.set({ html: isOn ? firstHtml : null })}
            />
            <TemplateActions draft={draft}>
              <TestMail id={template.id} sent={sent} />
            </TemplateActions>
          </form>
        </div>
        <MailPreview preview={preview} />
      </div>
    </>
  );
}

function restoreOf({ builtIn }: MailTemplate, { parts, set }: TemplateDraft<TemplateParts>) {
  return builtIn === null || isSameText(parts, builtIn) ? undefined : () => set(builtIn);
}

/** A variable that is a number, such as the hours that a link works, stays one. */
function typedValues(values: Readonly<Record<string, string>>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      /^[0-9]{1,9}$/.test(value) ? Number(value) : value,
    ]),
  );
}

/** The mail as its reader would receive it, with its HTML in a frame. */
function MailPreview({ preview }: { readonly preview: TemplatePreview<RenderedMail> }) {
  const t = useTranslations("templates");
  return (
    <PreviewPanel preview={preview} text={t("previewText")} refused={t("refused")}>
      {(mail) => (
        <>
          <p dir="auto" className="border-line border-b px-4 py-3 font-semibold wrap-anywhere">
            <span className="sr-only">{t("parts.subject")}: </span>
            {mail.subject}
          </p>
          <p dir="auto" className="px-4 py-3 whitespace-pre-wrap wrap-anywhere">
            <span className="sr-only">{t("parts.text")}: </span>
            {mail.text}
          </p>
          {mail.frame !== null && (
            <div className="grid gap-2 border-line border-t px-4 py-3">
              <h3 className="text-2 text-ink-2">{t("parts.html")}</h3>
              <HtmlFrame title={t("framed")} src={mail.frame} />
            </div>
          )}
        </>
      )}
    </PreviewPanel>
  );
}

type Input = HTMLInputElement | HTMLTextAreaElement;

/** Inserts texts at the cursor of the part that had the focus last. */
interface Insertion {
  /** For the `ref` of the input of a part. */
  place(name: PartName, input: Input | null): void;
  /** For the `onFocus` of the input of a part. */
  choose(name: PartName): void;
  /** Inserts a text in place of the selection, and gives the focus back to the input. */
  insert(text: string): void;
}

/** @param onChange takes the new text of a part */
function useInsertion(onChange: (name: PartName, text: string) => void): Insertion {
  const inputs = useRef(new Map<PartName, Input>());
  const last = useRef<PartName>("text");
  const latest = useRef(onChange);
  latest.current = onChange;
  const place = useCallback((name: PartName, input: Input | null) => {
    if (input === null) inputs.current.delete(name);
    else inputs.current.set(name, input);
  }, []);
  return {
    place,
    choose: (name) => {
      last.current = name;
    },
    insert: (text) => {
      const name = inputs.current.has(last.current) ? last.current : "text";
      const input = inputs.current.get(name);
      if (input === undefined) return;
      const { value, selectionStart, selectionEnd } = input;
      const from = selectionStart ?? value.length;
      const next = value.slice(0, from) + text + value.slice(selectionEnd ?? from);
      flushSync(() => latest.current(name, next));
      input.focus();
      input.setSelectionRange(from + text.length, from + text.length);
    },
  };
}

interface PersonValuesProps {
  readonly variables: readonly string[];
  readonly onChange: (values: Readonly<Record<string, string>>) => void;
}

/** Fills the variables that are about a person with the data of a chosen one. */
function PersonValues({ variables, onChange }: PersonValuesProps) {
  const [userId, setUserId] = useState<string>();
  const { data: person } = usePerson(userId);
  const names = personVariables.filter((name) => variables.includes(name));
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    if (person === undefined) return;
    const roles = person.roles.map(({ name }) => name).join(", ");
    const values = { name: person.name, email: person.email, roles };
    latest.current(
      Object.fromEntries(
        personVariables.flatMap((name) => (variables.includes(name) ? [[name, values[name]]] : [])),
      ),
    );
  }, [person, variables]);
  if (names.length === 0) return null;
  return <PersonPicker userId={userId} onChoose={setUserId} />;
}

const personVariables = ["name", "email", "roles"] as const;

interface VariableListProps {
  readonly variables: readonly string[];
  /** The values of the last mail that could be rendered. */
  readonly used: RenderedMail["variables"];
  /** What was typed in place of the sample values. */
  readonly values: Readonly<Record<string, string>>;
  readonly isLocked: boolean;
  readonly onInsert: (text: string) => void;
  readonly onChange: (name: string, value: string) => void;
}

/** The variables of a mail: a button inserts one, and a field has the value that the preview shows for it. */
function VariableList(props: VariableListProps) {
  const { variables, used, values, onInsert, onChange } = props;
  const t = useTranslations("templates");
  return (
    <ul aria-label={t("variables")} className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
      {variables.map((name) => {
        const sample = String(used.find((one) => one.name === name)?.value ?? "");
        const source = `{{ ${name} }}`;
        return (
          <li key={name} className="flex min-w-0 items-center gap-2">
            <ToolButton
              aria-label={t("insert", { name })}
              disabled={props.isLocked}
              onClick={() => onInsert(source)}
            >
              <code className="font-mono text-2">{source}</code>
            </ToolButton>
            {name === "link" ? (
              <code className="min-w-0 truncate text-2 text-ink-2" title={sample}>
                {sample}
              </code>
            ) : (
              <input
                aria-label={t("valueOf", { name })}
                dir="auto"
                autoComplete="off"
                spellCheck={false}
                value={values[name] ?? sample}
                onChange={(event) => onChange(name, event.target.value)}
                className="h-7 min-w-0 flex-1 rounded-control border border-line-input bg-surface px-2"
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}
