import { useTranslations } from "use-intl";
import { Checkbox } from "../ui/checkbox.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { KeysHint } from "./keys-hint.tsx";
import { changePreferences, usePreferences } from "./preferences.ts";
import { type Shortcut, useAllShortcuts } from "./shortcuts.ts";

/** Every shortcut that works on the open page, and whether those of a single key do. */
export function ShortcutDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations("shortcuts");
  const { singleKeys } = usePreferences();
  const sections = bySection(useAllShortcuts(), t("everywhere"));
  return (
    <Dialog title={t("title")} closeLabel={t("close")} onClose={onClose} isWide>
      <div className="grid gap-5">
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(16rem,100%),1fr))] gap-x-10 gap-y-5">
          {[...sections].map(([section, shortcuts]) => (
            <Section key={section} title={section} shortcuts={shortcuts} />
          ))}
        </div>
        <div className="border-line border-t pt-4">
          <Checkbox
            label={t("singleKeys")}
            isChecked={singleKeys}
            onChange={(next) => changePreferences({ singleKeys: next })}
          />
          <p className="mt-1 text-2 text-ink-2">{t("singleKeysHint")}</p>
        </div>
      </div>
    </Dialog>
  );
}

function bySection(shortcuts: readonly Shortcut[], everywhere: string): Map<string, Shortcut[]> {
  const sections = new Map<string, Shortcut[]>();
  for (const shortcut of shortcuts) {
    const section = shortcut.section ?? everywhere;
    sections.set(section, [...(sections.get(section) ?? []), shortcut]);
  }
  return sections;
}

function Section(props: { readonly title: string; readonly shortcuts: readonly Shortcut[] }) {
  return (
    <section>
      <h3 className="mb-1 text-2 text-ink-2">{props.title}</h3>
      <dl>
        {props.shortcuts.map(({ keys, label }) => (
          <div key={keys + label} className="flex min-h-7 items-center justify-between gap-4">
            <dt className="min-w-0">{label}</dt>
            <dd>
              <KeysHint keys={keys} isRead />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
