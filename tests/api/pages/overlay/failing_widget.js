export default () => { throw new Error("not today"); };
