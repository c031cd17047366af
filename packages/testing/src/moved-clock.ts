// Loaded before an app, so that a test may move the app's clock: its parent says by how many milliseconds.
let aheadMs = 0;
const RealDate = Date;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, created) =>
    Reflect.construct(target, args.length === 0 ? [RealDate.now() + aheadMs] : args, created),
  get: (target, name) =>
    name === "now" ? () => RealDate.now() + aheadMs : Reflect.get(target, name),
});
process.on("message", (ms) => {
  aheadMs = Number(ms);
  process.send?.(ms);
});
// The app ends when it has nothing to do, as without this.
process.channel?.unref();
