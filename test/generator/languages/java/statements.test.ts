import assert from 'node:assert/strict';
import { methodHead, testHead } from '../../../../generator/languages/java/statements.ts';

describe('the head of a Java method', () => {
  const options = ['CallOptions options'];
  const request = 'SummarizeLongDocumentsRequest';
  const response = 'SummarizeLongDocumentsResponse';

  it('breaks before the name when the return type leaves no room', () => {
    const type = `public SplitStream<${request}, ${response}>`;
    assert.equal(
      methodHead(type, 'createSummaryOfDocuments', options, 2),
      `${type}\n      createSummaryOfDocuments(CallOptions options) {`,
    );
  });

  it('breaks before the name when only the text after the name does not fit', () => {
    const type = `public Map<Long, ${'X'.repeat(64)}>`;
    assert.equal(methodHead(type, 'checkExecutionId', [], 2), `${type}\n      checkExecutionId() {`);
  });

  it('breaks a long return type after its first bracket', () => {
    assert.equal(
      methodHead(`public CompletableFuture<SplitStream<${request}, ${response}>>`, 'create', options, 2),
      `public CompletableFuture<\n          SplitStream<${request}, ${response}>>\n      create(CallOptions options) {`,
    );
  });

  it('breaks a longer return type after the next bracket and between type arguments', () => {
    const [long, longer] = [`${request}OfManyLongPages`, `${response}OfManyLongPages`];
    assert.equal(
      methodHead(`public CompletableFuture<SplitStream<${long}, ${longer}>>`, 'create', options, 2),
      'public CompletableFuture<\n          SplitStream<\n' +
        `              ${long},\n              ${longer}>>\n      create(CallOptions options) {`,
    );
  });
});

describe('the head of a Java test', () => {
  it('breaks before the throws clause when it exceeds a line', () => {
    const name = 'x'.repeat(70);
    assert.equal(testHead(name, 2), `void ${name}() throws IOException {`);
    assert.equal(testHead(`${name}x`, 2), `void ${name}x()\n      throws IOException {`);
  });
});
