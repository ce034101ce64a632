/**
 * A function that makes each answer once, for as long as the subject lives. For pure functions of what nobody changes alone: then
 * nothing but time tells that it remembers. All that `specs` and `generator` keep between two calls is kept here (decision
 * 0029).
 *
 * @param make may be given tools beside the subject, which make the answer cheaper and no other.
 */
export function remembering<
  Subject extends object,
  Made extends object | string,
  Tools extends readonly unknown[],
>(make: (subject: Subject, ...tools: Tools) => Made): (subject: Subject, ...tools: Tools) => Made {
  const known = new WeakMap<Subject, Made>();
  return (subject, ...tools) => {
    const before = known.get(subject);
    if (before !== undefined) return before;
    const made = make(subject, ...tools);
    known.set(subject, made);
    return made;
  };
}
