import { useTranslations } from "use-intl";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Check, Copy } from "../ui/icons.generated.ts";
import { Notice } from "../ui/notice.tsx";
import { useCopied } from "../ui/use-copied.ts";

/** Shows the secret of a token once, to be copied. Only its button closes it. */
export function SecretDialog(props: {
  readonly name: string;
  readonly secret: string;
  readonly onClose: () => void;
}) {
  const t = useTranslations("account.tokens");
  const { isCopied, copy } = useCopied();
  const Icon = isCopied ? Check : Copy;
  return (
    <Dialog title={t("secretOf", { name: props.name })}>
      <div className="grid gap-4">
        <Notice kind="info">{t("once")}</Notice>
        <code className="block rounded-control bg-sunken px-3 py-2 font-mono break-all select-all">
          {props.secret}
        </code>
        <div className="flex flex-wrap justify-end gap-2">
          <Button kind="primary" onPress={() => copy(props.secret)}>
            <Icon size={16} aria-hidden="true" />
            {t("copy")}
          </Button>
          <Button onPress={props.onClose}>{t("done")}</Button>
        </div>
        <p role="status" className="sr-only">
          {isCopied ? t("copied") : ""}
        </p>
      </div>
    </Dialog>
  );
}
