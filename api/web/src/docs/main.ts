/** The HTTP interface as a page: Swagger UI over the server's own document, all of it from this server. */

import "swagger-ui-dist/swagger-ui.css";
import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";

SwaggerUI({
  dom_id: "#page",
  url: "api/v1/openapi.json",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: -1, // drawing some hundred schemas takes seconds; each stands with its route
  tryItOutEnabled: true,
  validatorUrl: null, // no badge from elsewhere
});
