import { writeJson } from "@rowhouse/client";
import { useTranslations } from "use-intl";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import type { Grant } from "../access-queries.ts";
import { draftOf, type GrantDraft, type GrantTerms } from "./grant-draft.ts";

interface GrantConflictProps {
  readonly draft: GrantDraft;
  readonly present: Grant;
  readonly terms: readonly (keyof GrantTerms)[];
  readonly onClose: () => void;
  /** Continues with the terms of the other administrator, or with one's own. */
  readonly onChoose: (whose: "theirs" | "mine") => void;
}

/** Shows both versions of the terms that two administrators have changed. */
export function GrantConflictDialog(props: GrantConflictProps) {
  const { draft, present, terms, onClose, onChoose } = props;
  const t = useTranslations("access");
  const words = useTranslations("manage");
  const theirs = draftOf(present);
  return (
    <Dialog title={t("conflict.title")} onClose={onClose} isWide>
      <p className="text-ink-2">{t("conflict.text")}</p>
      {terms.map((term) => (
        <div key={term} className="grid gap-2">
          <h3 className="font-medium">{t(`part.${term}`)}</h3>
          <dl className="grid gap-2 sm:grid-cols-2">
            <Version label={t("conflict.mine")} value={draft[term]} />
            <Version label={t("conflict.theirs")} value={theirs[term]} />
          </dl>
        </div>
      ))}
      <DialogActions>
        <Button onPress={onClose}>{words("cancel")}</Button>
        <Button onPress={() => onChoose("theirs")}>{t("conflict.takeTheirs")}</Button>
        <Button onPress={() => onChoose("mine")}>{t("conflict.keepMine")}</Button>
      </DialogActions>
    </Dialog>
  );
}

function Version({ label, value }: { readonly label: string; readonly value: unknown }) {
  const t = useTranslations("access");
  return (
    <div className="grid content-start gap-1">
      <dt className="text-2 text-ink-2">{label}</dt>
      <dd>
        <code
          dir="ltr"
          className="block max-h-40 overflow-auto rounded-control bg-sunken px-2 py-1 font-mono text-2 wrap-anywhere"
        >
          {value === null ? t("conflict.noTerm") : writeJson(value)}
        </code>
      </dd>
    </div>
  );
}
