import type { components } from "@octokit/openapi-types";
import { demandApp } from "../access.js";
import type { Hub } from "../hub.js";
import { notFound } from "../refusal.js";
import { listed, numberOf, type Route } from "../router.js";
import type { DeliveryRecord } from "../postman.js";

type Schemas = components["schemas"];

function itemJson(delivery: DeliveryRecord) {
  return {
    id: delivery.id,
    guid: delivery.guid,
    delivered_at: delivery.deliveredAt,
    redelivery: delivery.redelivery,
    duration: delivery.duration,
    status: delivery.status,
    status_code: delivery.statusCode,
    event: delivery.event,
    action: delivery.action,
    installation_id: delivery.installationId,
    repository_id: delivery.repositoryId,
    throttled_at: null,
  } satisfies Schemas["hook-delivery-item"];
}

/** The App's delivery log, and sending again what failed. */
export function deliveryRoutes({ outbox }: Hub): Route[] {
  const find = (id: number) => {
    const found = outbox.deliveries().find((delivery) => delivery.id === id);
    if (!found) throw notFound();
    return found;
  };
  return [
    {
      method: "GET",
      template: "/app/hook/deliveries",
      serve(call) {
        demandApp(call);
        return listed(call, outbox.deliveries().toReversed(), itemJson);
      },
    },
    {
      method: "GET",
      template: "/app/hook/deliveries/{delivery_id}",
      serve(call) {
        demandApp(call);
        const found = find(numberOf(call, "delivery_id"));
        return {
          status: 200,
          body: {
            ...itemJson(found),
            request: { headers: found.requestHeaders, payload: found.payload },
            response: { headers: found.answerHeaders, payload: found.answer },
          } satisfies Schemas["hook-delivery"],
        };
      },
    },
    {
      method: "POST",
      template: "/app/hook/deliveries/{delivery_id}/attempts",
      serve(call) {
        demandApp(call);
        const { id } = find(numberOf(call, "delivery_id"));
        return { status: 202, body: {}, after: () => outbox.redeliver(id) };
      },
    },
  ];
}
