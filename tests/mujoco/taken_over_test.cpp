// Which contact is ours and which stays MuJoCo's.

#include <gtest/gtest.h>

#include "bristle/mujoco/mechanism.hpp"
#include "models.hpp"

namespace bristle {
namespace {

using testing_mujoco::loose;

/// Contacts between two geoms, by name, that MuJoCo has.
int contacts(const MujocoMechanism& robot, const char* a, const char* b) {
  const int ga = mj_name2id(&robot.model(), mjOBJ_GEOM, a);
  const int gb = mj_name2id(&robot.model(), mjOBJ_GEOM, b);
  int count = 0;
  for (int i = 0; i < robot.data().ncon; ++i) {
    const mjContact& c = robot.data().contact[i];
    if ((c.geom1 == ga && c.geom2 == gb) || (c.geom1 == gb && c.geom2 == ga)) ++count;
  }
  return count;
}

TEST(MujocoContactsTakenOver, WithoutLinksAllIsMujocos) {
  const MujocoMechanism robot(*parse_mujoco_model(loose, "loose.xml"), {});
  EXPECT_EQ(contacts(robot, "ball", "floor"), 1);
  EXPECT_EQ(contacts(robot, "box", "floor"), 4);
  EXPECT_GT(robot.data().nefc, 0);
}

TEST(MujocoContactsTakenOver, APairOfLinksIsOursAndNoOther) {
  const MujocoMechanism robot(*parse_mujoco_model(loose, "loose.xml"),
                              {.links = {"ball", "floor"}});
  EXPECT_EQ(contacts(robot, "ball", "floor"), 0);
  EXPECT_EQ(contacts(robot, "box", "floor"), 4);
  // The ball falls freely, the box is held.
  Mechanism::Vector a = robot.force();
  robot.solve(a);
  EXPECT_NEAR(a[2], -9.81, 1e-12);
  EXPECT_GT(a[8], -9);
}

TEST(MujocoContactsTakenOver, WhereAllIsOursMujocoLooksForNone) {
  const MujocoMechanism robot(*parse_mujoco_model(loose, "loose.xml"),
                              {.links = {"ball", "box", "floor"}});
  EXPECT_EQ(robot.data().ncon, 0);
  EXPECT_NE(robot.model().opt.disableflags & mjDSBL_CONTACT, 0);
  EXPECT_EQ(robot.data().nefc, 0);
}

TEST(MujocoContactsTakenOver, PairsListedInTheModelAreOursToo) {
  const std::string text =
      std::string(loose).replace(std::string(loose).find("</mujoco>"), 0,
                                 R"(<contact><pair geom1="ball" geom2="floor"/></contact>)");
  const MujocoMechanism theirs(*parse_mujoco_model(text, "loose.xml"), {});
  EXPECT_EQ(contacts(theirs, "ball", "floor"), 1);
  const MujocoMechanism ours(*parse_mujoco_model(text, "loose.xml"), {.links = {"ball", "floor"}});
  EXPECT_EQ(contacts(ours, "ball", "floor"), 0);
  EXPECT_EQ(contacts(ours, "box", "floor"), 4);
}

TEST(MujocoContactsTakenOver, ALinkOfTheWorldStays) {
  const MujocoMechanism robot(*parse_mujoco_model(loose, "loose.xml"),
                              {.links = {"ball", "floor"}});
  EXPECT_TRUE(std::holds_alternative<HalfSpace>(robot.links()[1].shape));
  EXPECT_EQ(robot.linear(1).norm(), 0);
  EXPECT_EQ(robot.angular(1).norm(), 0);
}

}  // namespace
}  // namespace bristle
