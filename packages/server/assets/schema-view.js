/* Schemas as rows: name, type, constraints and description of each property; alternatives are tabs. Plain JavaScript of a browser. */
import { constraintsOf, expand, nameOf, propertiesOf, sourceOf, typeOf, variantsOf } from './schemas.js';

/** The id of a named schema on the page, and in its address. */
export const schemaId = (name) => `/schemas/${encodeURIComponent(name)}`;

export const schemasPlugin =
  (spec) =>
  ({ React, getComponent }) => {
    const element = React.createElement;
    const Markdown = ({ source }) => element(getComponent('Markdown', true), { source });

    const Constraints = ({ schema }) => {
      const parts = constraintsOf(schema);
      if (parts.length === 0) return null;
      const text = (part, index) => (typeof part === 'string' ? part : element('code', { key: index }, part.code));
      return element('div', { className: 'docs-constraints' }, ...parts.flatMap((part, index) => [index > 0 && ' · ', ...part.map(text)]));
    };

    /** What is inside is drawn when it is opened: a schema may refer to itself. */
    const Folded = ({ summary, schema, hidden, id }) => {
      const [isOpen, setOpen] = React.useState(false);
      return element(
        'details',
        { id, className: 'docs-details', onToggle: ({ target }) => setOpen(target.open) },
        element('summary', null, summary),
        isOpen && element(Schema, { schema, hidden }),
      );
    };

    const hasParts = (schema) => {
      const expanded = expand(spec, schema);
      if (expanded.items !== undefined) return hasParts(expanded.items);
      return variantsOf(spec, schema).length > 0 || propertiesOf(spec, expanded).length > 0;
    };

    const Row = ({ name, schema, isRequired, hidden }) => {
      const expanded = expand(spec, schema);
      const { description } = expanded;
      return element(
        'li',
        null,
        element(
          'div',
          { className: 'docs-property' },
          element('code', null, name),
          element('span', null, typeOf(spec, schema)),
          isRequired && element('span', { className: 'docs-required' }, 'required'),
          expanded.deprecated && element('span', { className: 'docs-badge docs-deprecated' }, 'deprecated'),
        ),
        description && element(Markdown, { source: description }),
        element(Constraints, { schema: expanded }),
        hasParts(schema) && element(Folded, { summary: expanded.items === undefined ? 'Properties' : 'Items', schema, hidden }),
      );
    };

    const Variants = ({ variants, hidden }) => {
      const [chosen, choose] = React.useState(0);
      const { schema } = variants[chosen];
      const { description } = expand(spec, schema);
      const button = ({ label }, index) =>
        element(
          'button',
          { key: index, type: 'button', className: 'docs-tab', 'aria-pressed': index === chosen, onClick: () => choose(index) },
          label,
        );
      return element(
        React.Fragment,
        null,
        element('div', { className: 'docs-tabs', role: 'group', 'aria-label': 'One of' }, ...variants.map(button)),
        description && element(Markdown, { source: description }),
        element(Schema, { key: chosen, schema, hidden }),
      );
    };

    const Schema = ({ schema, hidden }) => {
      const expanded = expand(spec, schema);
      if (expanded.items !== undefined)
        return element(
          React.Fragment,
          null,
          element('div', { className: 'docs-constraints' }, typeOf(spec, schema)),
          element(Constraints, { schema: { ...expanded, items: undefined } }),
          element(Schema, { schema: expanded.items, hidden }),
        );
      const variants = variantsOf(spec, schema);
      const rows = propertiesOf(spec, expanded, hidden);
      if (variants.length === 0 && rows.length === 0)
        return element(
          React.Fragment,
          null,
          element('div', { className: 'docs-property' }, element('span', null, typeOf(spec, schema))),
          element(Constraints, { schema: expanded }),
        );
      // Children have the properties of their parent.
      const own =
        expanded.discriminator !== undefined && (expanded.oneOf ?? expanded.anyOf) === undefined && variants.length > 0 ? [] : rows;
      return element(
        React.Fragment,
        null,
        own.length > 0 &&
          element('ul', { className: 'docs-properties' }, ...own.map((row) => element(Row, { key: row.name, ...row, hidden }))),
        variants.length > 0 && element(Variants, { variants, hidden }),
      );
    };

    const ModelWrapper = ({ schema, includeReadOnly, includeWriteOnly }) => {
      const source = sourceOf(spec, schema?.toJS ? schema.toJS() : schema);
      const hidden = includeReadOnly ? 'writeOnly' : includeWriteOnly ? 'readOnly' : undefined;
      return element('div', { className: 'docs-schema' }, element(Schema, { schema: source, hidden }));
    };

    const Models = () => {
      const named = Object.entries(spec.components?.schemas ?? {});
      return (
        named.length > 0 &&
        element(
          'section',
          { id: 'docs-schemas', className: 'docs-section docs-schemas' },
          element('h2', null, 'Schemas'),
          ...named.map(([name, schema]) => {
            const type = typeOf(spec, schema);
            const summary = element(React.Fragment, null, element('code', null, name), type !== name && element('span', null, ` ${type}`));
            return element(Folded, { key: name, id: schemaId(name), summary, schema: { $ref: `#/components/schemas/${name}` } });
          }),
        )
      );
    };
    return { wrapComponents: { ModelWrapper: () => ModelWrapper, Models: () => Models } };
  };
