import { useRef } from "react";
import { useTranslations } from "use-intl";
import { UnreadText } from "../../records/editors/draft.ts";
import { ValueEditor } from "../../records/editors/value-editor.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { ArrowDown, ArrowUp, Plus, X } from "../../ui/icons.generated.ts";
import { Select } from "../../ui/select.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { type BuilderParts, fittingOf } from "./builder-parts.ts";
import { FieldList } from "./field-list.tsx";
import type { FormField, FormSection, PresentationOf } from "./view-draft.ts";

interface FormSectionsProps {
  readonly parts: BuilderParts;
  readonly presentation: PresentationOf<"form">;
}

/** What a form is for, and its sections in their order. */
export function FormSections({ parts, presentation }: FormSectionsProps) {
  const t = useTranslations("viewBuilder");
  const { sections, use } = presentation;
  const keys = useKeys(sections.length);
  const set = (next: readonly FormSection[]) =>
    parts.change({ presentation: { ...presentation, sections: [...next] } });
  const move = (index: number, by: number) => {
    const next = [...sections];
    const [moved] = next.splice(index, 1);
    if (moved === undefined) return;
    next.splice(index + by, 0, moved);
    keys.move(index, by);
    set(next);
  };
  return (
    <div className="grid gap-4">
      <Select
        label={t("use")}
        value={use}
        options={(["BOTH", "CREATE", "EDIT"] as const).map((value) => ({
          value,
          label: t(`uses.${value}`),
        }))}
        onChange={(next) => parts.change({ presentation: { ...presentation, use: next } })}
      />
      {sections.map((section, index) => {
        const name = section.title === "" ? String(index + 1) : section.title;
        return (
          <fieldset
            key={keys.of(index)}
            className="grid min-w-0 gap-3 rounded-panel border border-line p-3"
          >
            <legend className="px-1 font-medium">{t("section", { name })}</legend>
            <div className="-mt-1 flex justify-end">
              <IconButton
                label={t("moveUp", { name })}
                icon={ArrowUp}
                isSmall
                isDisabled={index === 0}
                onPress={() => move(index, -1)}
              />
              <IconButton
                label={t("moveDown", { name })}
                icon={ArrowDown}
                isSmall
                isDisabled={index === sections.length - 1}
                onPress={() => move(index, 1)}
              />
              <IconButton
                label={t("remove", { name })}
                icon={X}
                isSmall
                isDisabled={sections.length === 1}
                onPress={() => {
                  keys.remove(index);
                  set(sections.filter((one) => one !== section));
                }}
              />
            </div>
            <SectionFields
              parts={parts}
              section={section}
              pointer={`/presentation/sections/${index}`}
              taken={sections.flatMap(({ fields }) => fields.map(({ field }) => field))}
              onChange={(next) => set(sections.map((one, at) => (at === index ? next : one)))}
            />
          </fieldset>
        );
      })}
      <div>
        <ToolButton onClick={() => set([...sections, { title: "", fields: [] }])}>
          <Plus size={14} aria-hidden="true" />
          {t("addSection")}
        </ToolButton>
      </div>
    </div>
  );
}

function SectionFields(props: {
  readonly parts: BuilderParts;
  readonly section: FormSection;
  readonly pointer: string;
  /** The fields of all sections. */
  readonly taken: readonly string[];
  readonly onChange: (section: FormSection) => void;
}) {
  const { parts, section, pointer, taken, onChange } = props;
  const t = useTranslations("viewBuilder");
  const { fields } = section;
  const own = fields.map(({ field }) => field);
  const options = fittingOf(parts, "input").filter(
    ({ field }) => own.includes(field) || !taken.includes(field),
  );
  const change = (index: number, next: FormField) =>
    onChange({ ...section, fields: fields.map((one, at) => (at === index ? next : one)) });
  return (
    <>
      <TextField
        label={t("sectionTitle")}
        name="section-title"
        autoComplete="off"
        value={section.title}
        fault={parts.faultAt(`${pointer}/title`)}
        onChange={(title) => onChange({ ...section, title })}
      />
      <TextField
        label={t("sectionHelp")}
        name="section-help"
        autoComplete="off"
        value={section.help ?? ""}
        fault={parts.faultAt(`${pointer}/help`)}
        onChange={(help) => onChange(withHelp(section, help))}
      />
      <FieldList
        label={t("sectionFields")}
        addLabel={t("add.input")}
        options={options}
        fields={own}
        faultOf={(index) => parts.faultAt(`${pointer}/fields/${index}`)}
        onChange={(next) =>
          onChange({
            ...section,
            fields: next.map((field) => fields.find((one) => one.field === field) ?? { field }),
          })
        }
        detailOf={(field, index) => {
          const item = fields[index];
          const option = options.find((one) => one.field === field);
          return item === undefined || option === undefined ? null : (
            <details>
              <summary className="min-h-6 cursor-pointer text-2 text-ink-2">
                {t("fieldMore", { name: option.label })}
              </summary>
              <div className="grid gap-2 py-1.5">
                <TextField
                  label={t("fieldHelp")}
                  name="field-help"
                  autoComplete="off"
                  value={item.help ?? ""}
                  onChange={(help) => change(index, withHelp(item, help))}
                />
                <div className="grid gap-1.5">
                  <span className="font-medium">{t("fieldDefault")}</span>
                  <ValueEditor
                    isNew
                    column={{
                      ...option.column,
                      label: t("defaultOf", { name: option.label }),
                    }}
                    value={item.default}
                    onChange={(value) => change(index, withDefault(item, value))}
                  />
                </div>
              </div>
            </details>
          );
        }}
      />
    </>
  );
}

function withHelp<Item extends { readonly help?: string | undefined }>(item: Item, help: string) {
  const { help: _, ...others } = item;
  return (help === "" ? others : { ...others, help }) as Item;
}

/** A default is a value of JSON without members; the text of an unreadable one is refused at its field when it is saved. */
function withDefault(item: FormField, value: unknown): FormField {
  const { default: _, ...others } = item;
  if (value === undefined) return others;
  const text = value instanceof UnreadText ? value.text : value;
  const isScalar = text === null || typeof text === "boolean" || typeof text === "number";
  return { ...others, default: isScalar ? text : String(text) };
}

/** Keys of the sections, which have no id of their own. */
function useKeys(count: number) {
  const kept = useRef<number[]>([]);
  const next = useRef(0);
  while (kept.current.length < count) {
    kept.current.push(next.current);
    next.current += 1;
  }
  return {
    of: (index: number) => kept.current[index],
    move: (index: number, by: number) => {
      const [moved] = kept.current.splice(index, 1);
      if (moved !== undefined) kept.current.splice(index + by, 0, moved);
    },
    remove: (index: number) => void kept.current.splice(index, 1),
  };
}
