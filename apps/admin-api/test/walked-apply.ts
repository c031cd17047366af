import { openTestEnvironment } from "./test-environment.ts";

/** Opens an Admin API whose walk is the apply of a plan with one changed role. */
export async function openWalkedApply() {
  const { ask, test } = await openTestEnvironment();
  const send = async (path: string, data: object) => {
    const { status, body } = await ask("POST", `/configuration/${path}`, data);
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body.data;
  };
  let round = 0;
  return {
    walks: {
      apply: async () => {
        round += 1;
        const files = {
          "rowhouse.yaml": "version: 1\nparts: [roles]\n",
          "roles/Drivers.yaml": `description: Round ${round}\n`,
        };
        const { planId, digest } = await send("plan", { files });
        return () => send("apply", { planId, digest, consents: [] }) as Promise<void>;
      },
    },
    close: () => test.drop(),
  };
}
