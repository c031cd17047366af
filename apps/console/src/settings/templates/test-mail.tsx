import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { useTask } from "../../shell/use-task.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { TemplateDraft } from "./use-template-preview.ts";

interface TestMailProps {
  readonly id: string;
  /** The draft as the service takes it. */
  readonly sent: TemplateDraft;
}

/** Sends the mail of a draft to oneself. */
export function TestMail({ id, sent }: TestMailProps) {
  const t = useTranslations("templates");
  const [delivered, setDelivered] = useState<{ readonly to: string; readonly response: string }>();
  const test = useTask(async () => {
    setDelivered(undefined);
    const options = { path: { id }, data: sent };
    const { data } = await client.admin.post("/templates/{id}/test-mail", options);
    setDelivered(data);
  }, []);
  return (
    <>
      <Button isBusy={test.isBusy} onPress={test.run}>
        {t("testMail")}
      </Button>
      {test.failure !== undefined && (
        <div className="order-first w-full">
          <Notice kind="danger">{test.failure}</Notice>
        </div>
      )}
      {delivered !== undefined && (
        <div className="order-first w-full">
          <Notice kind="ok">{t("delivered", delivered)}</Notice>
        </div>
      )}
    </>
  );
}
