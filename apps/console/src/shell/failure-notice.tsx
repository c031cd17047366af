import { useTranslations } from "use-intl";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { useFailureText } from "./failure-text.ts";

/** Why something could not be loaded, and the way to try again. */
export function FailureNotice(props: { readonly error: unknown; readonly onRetry: () => void }) {
  const t = useTranslations("workspace");
  const describe = useFailureText();
  return (
    <div className="grid justify-items-start gap-3">
      <Notice kind="danger">{describe(props.error)}</Notice>
      <Button onPress={props.onRetry}>{t("retry")}</Button>
    </div>
  );
}
