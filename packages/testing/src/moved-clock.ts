// Loaded before an app, so that a test may move the app's clock: its parent says by how many milliseconds.
let aheadMs = 0;
const now = Date.now;
Date.now = () => now() + aheadMs;
process.on("message", (ms) => {
  aheadMs = Number(ms);
  process.send?.(ms);
});
// The app ends when it has nothing to do, as without this.
process.channel?.unref();
