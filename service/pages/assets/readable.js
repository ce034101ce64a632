// Adapts an OpenAPI document to the reference, which cannot show everything that a document may contain.
// `try-it.js` uses it as `svcReadable`.
(() => {
  'use strict';

  /**
   * Returns the document with schemas in a form that the reference shows with all their fields, and only
   * once.
   *
   * For a schema with `not`, the reference shows nothing else. For one with `anyOf`, it shows every
   * alternative with all fields. Rules about which fields may occur together are therefore removed:
   * descriptions state them. A message that is both an input and an output has two schemas, of which the list
   * of models shows only one.
   */
  const readable = (openapi) => {
    const { components = {}, paths = {} } = openapi;
    const { schemas = {} } = components;
    const shown = mapValues(schemas, (schema, name) => ({
      ...withoutRules(schema),
      ...(isTwin(name, schemas) && { 'x-internal': true }),
    }));
    return {
      ...openapi,
      paths: mapValues(paths, (item) => mapValues(item, readableOperation)),
      components: { ...components, schemas: shown },
    };
  };

  const readableOperation = (operation) => {
    const { requestBody } = operation;
    if (requestBody?.content === undefined) return operation;
    const content = mapValues(requestBody.content, (type) =>
      type.schema === undefined ? type : { ...type, schema: withoutRules(type.schema) },
    );
    return { ...operation, requestBody: { ...requestBody, content } };
  };

  const withoutRules = (schema) => {
    if (schema.properties === undefined) return schema;
    const kept = Object.entries(schema).filter(([keyword, value]) => !isRule(keyword, value));
    return Object.fromEntries(kept);
  };

  const isRule = (keyword, value) => {
    if (keyword === 'not') return isPresence(value);
    return ['allOf', 'anyOf', 'oneOf'].includes(keyword) && value.every(isPresence);
  };

  /** Reports whether a schema only states which fields are present. */
  const isPresence = (schema) =>
    Object.entries(schema).every(([keyword, value]) => keyword === 'required' || isRule(keyword, value));

  const isTwin = (name, schemas) =>
    name.endsWith('-output') && Object.hasOwn(schemas, name.slice(0, -'-output'.length));

  const mapValues = (object, map) =>
    Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));

  window.svcReadable = readable;
})();
