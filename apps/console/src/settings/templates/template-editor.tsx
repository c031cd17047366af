import { useState } from "react";
import { useTranslations } from "use-intl";
import { useLeaveGuard } from "../../shell/use-leave-guard.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Section } from "../../ui/section.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { ForeignParts } from "./foreign-parts.tsx";
import { MailPreview } from "./mail-preview.tsx";
import { PartField } from "./part-field.tsx";
import { TemplateActions } from "./template-actions.tsx";
import { TemplateHead } from "./template-head.tsx";
import { TemplateState } from "./template-list.tsx";
import {
  isSameText,
  type MailTemplate,
  mailPartNames,
  mails,
  type TemplateParts,
  useMailNames,
} from "./template-parts.ts";
import { TestMail } from "./test-mail.tsx";
import { useInsertion } from "./use-insertion.ts";
import { type TemplateDraft, useTemplateDraft } from "./use-template-draft.ts";
import { requireRenderedMail, useTemplatePreview } from "./use-template-preview.ts";
import { VariableList } from "./variable-list.tsx";

interface TemplateEditorProps {
  readonly template: MailTemplate;
  readonly etag: string | undefined;
}

/** The parts of a mail, its variables, and beside them the mail that they make. */
export function TemplateEditor({ template, etag }: TemplateEditorProps) {
  const t = useTranslations("templates");
  const draft = useTemplateDraft(mails, template, etag);
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
      >
        {restore !== undefined && <ToolButton onClick={restore}>{t("restore")}</ToolButton>}
      </TemplateHead>
      <div className="grid items-start gap-6 xl:grid-cols-2 [&>*]:min-w-0">
        <div className="grid gap-5">
          {draft.outcome === "conflict" && <ForeignParts parts={draft.foreign} />}
          <Section title={t("variables")} text={t("variablesText")}>
            <VariableList
              variables={template.variables}
              used={preview.shown?.variables ?? []}
              values={values}
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
